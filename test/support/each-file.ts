import { afterAll, beforeEach } from 'vitest'
import { planFailpoints } from '../../server/src/runtime/failpoint.ts'
import { testSeed } from './seed.ts'
import { closeOpened } from './world/after-file.ts'

/* Vitest runs this setup before every test file, even when files share a process. */
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    process.stderr.write(`BERTH_TEST_SEED=${testSeed} repeats the random values of this file\n`)
  })
})

afterAll(async () => {
  planFailpoints(null)
  await closeOpened()
}, 60_000)
