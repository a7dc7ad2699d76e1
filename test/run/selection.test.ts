import { expect, test } from 'vitest'
import { filesNamed, selectionFrom, testFilesOf } from './selection.ts'

const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

test.each([
  { args: [], selection: null, because: 'no file is named' },
  { args: ['--only', 'lint,suite'], selection: null, because: 'the words name steps' },
  { args: ['vms'], selection: { words: ['vms'], title: null }, because: 'the word names a file' },
  {
    args: ['vms', '-t', 'keeps its address'],
    selection: { words: ['vms'], title: 'keeps its address' },
    because: 'the title is not a file name',
  },
  {
    args: ['-t', 'keeps', 'nics'],
    selection: { words: ['nics'], title: 'keeps' },
    because: 'the order of arguments is free',
  },
])('npm test with $args selects $selection because $because', ({ args, selection }) => {
  expect(selectionFrom(args)).toEqual(selection)
})

test('a word selects the file of that name, or every path that contains it', () => {
  const files = ['test/flows/vms.test.ts', 'test/e2e/vms-page.test.ts', 'web/src/nic.test.ts']
  expect(filesNamed('vms', files)).toEqual(['test/flows/vms.test.ts'])
  expect(filesNamed('vms-', files)).toEqual(['test/e2e/vms-page.test.ts'])
  expect(filesNamed('volcano', files)).toEqual([])
})

test('the test files of the server, the sandbox, the console and the flows are found', () => {
  const files = testFilesOf(root)
  for (const folder of ['server/src/', 'server/sandbox/', 'web/src/', 'test/flows/'])
    expect(files.some((file) => file.startsWith(folder))).toBe(true)
})
