import { expect, test } from 'vitest'
import { root } from '../checks/run-check.ts'
import { longest } from './longest-first.ts'
import { testFilesOf } from './selection.ts'

test('every file that starts first is a test file', () => {
  const files = testFilesOf(root)
  expect(longest.filter((file) => !files.includes(file))).toEqual([])
})
