import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from '../checks/files.ts'

/** The tests that a command such as `npm test -- vms -t 'keeps its address'` selects. */
export interface Selection {
  /** Names of test files or parts of their paths. All files are selected when there is none. */
  readonly words: readonly string[]
  /** A regular expression for titles, as in vitest; null selects every title. */
  readonly title: string | null
}

/**
 * Returns the selected tests, or null when the arguments name none. Then the steps of `npm test`
 * run.
 */
export function selectionFrom(args: readonly string[]): Selection | null {
  if (args.includes('--only')) return null
  const at = args.findIndex((arg) => arg === '-t' || arg === '--testNamePattern')
  const title = at === -1 ? null : (args[at + 1] ?? '')
  const words = args.filter((arg, index) => !arg.startsWith('-') && (at < 0 || index !== at + 1))
  return words.length === 0 && title === null ? null : { words, title }
}

/** Every test file of the repository, as paths from the root. */
export const testFilesOf = (root: string): string[] =>
  filesOf(root).filter((file) => /^(server|web|test)\/.*\.test\.ts$/.test(file))

/** Returns the files called `<word>.test.ts`, or else every path that contains the word. */
export function filesNamed(word: string, files: readonly string[]): string[] {
  const exact = files.filter((file) => file.endsWith(`/${word}.test.ts`))
  return exact.length > 0 ? exact : files.filter((file) => file.includes(word))
}

/**
 * Returns the files that contain the title, so that vitest loads only those. A title that is built
 * at run time is in no file; then all files are candidates.
 */
export function filesWithTitle(title: string, files: readonly string[], root: string): string[] {
  const matches = files.filter((file) => readFileSync(join(root, file), 'utf8').includes(title))
  return matches.length > 0 ? matches : [...files]
}
