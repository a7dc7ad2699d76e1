import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configReference } from './reference.ts'

const page = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'configuration.md')

test('docs/configuration.md matches the output of `npm run berth config reference`', async () => {
  await expect(configReference()).toMatchFileSnapshot(page)
})

test('each key and variable of the reference has a meaning', () => {
  expect(configReference()).not.toMatch(/\|\s*\|$/m)
})
