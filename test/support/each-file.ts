import { afterAll, beforeEach } from 'vitest'
import { planFailpoints } from '../../server/src/runtime/failpoint.ts'
import { testSeed } from './seed.ts'
import { closeOpened } from './world/after-file.ts'

/*
 * Vitest runs this before every test file, although files share the modules that they import.
 */
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    process.stderr.write(`BERTH_TEST_SEED=${testSeed} repeats what this test file drew\n`)
  })
})

afterAll(async () => {
  planFailpoints(null)
  await closeOpened()
}, 60_000)
