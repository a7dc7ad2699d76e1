import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesNamed, filesWithTitle, type Selection, testFilesOf } from './selection.ts'
import { tallyFrom } from './test-lines.ts'

const checksConfig = 'test/checks/vitest.config.ts'
const suiteConfig = 'test/vitest.config.ts'
const configOf = (file: string): string =>
  /^test\/(checks|run)\//.test(file) ? checksConfig : suiteConfig

// Flow tests run the server from its sources in the test process. These tests start built programs.
const startsBuilt = /^test\/(contract|e2e|faults|screenshots)\//

/** Runs the selected tests with vitest in this terminal and prints the last line of `npm test`. */
export async function runSelection(selection: Selection, root: string): Promise<number> {
  const { files, problem } = filesOf(selection, root)
  if (problem) return conclude(problem, { passed: 0, failed: 0 })
  const scratch = mkdtempSync(join(tmpdir(), 'berth-run-'))
  const lines = join(scratch, 'lines.jsonl')
  try {
    if (files.some((file) => startsBuilt.test(file)) && (await node(root, ['test/run/build.js'])))
      return conclude('The build failed.', { passed: 0, failed: 1 })
    for (const config of [checksConfig, suiteConfig]) {
      const own = files.filter((file) => configOf(file) === config)
      if (own.length > 0) await node(root, vitestWith(config, own, selection), lines)
    }
    const tally = tallyFrom(lines)
    const found = tally.passed + tally.failed > 0
    return conclude(found ? '' : `No test in ${listed(files)} matches "${selection.title}".`, tally)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function filesOf({ words, title }: Selection, root: string): { files: string[]; problem: string } {
  const all = testFilesOf(root)
  const unknown = words.filter((word) => filesNamed(word, all).length === 0)
  if (unknown.length > 0)
    return { files: [], problem: `No test file is called ${unknown.join(' or ')}.` }
  if (words.length > 0)
    return { files: [...new Set(words.flatMap((word) => filesNamed(word, all)))], problem: '' }
  return { files: filesWithTitle(title ?? '', all, root), problem: '' }
}

const vitestWith = (config: string, files: readonly string[], { title }: Selection): string[] => [
  'test/node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  config,
  '--reporter=default',
  '--reporter=./test/run/vitest-reporter.ts',
  ...(title === null ? [] : ['--testNamePattern', title]),
  ...files,
]

function node(root: string, args: readonly string[], lines = ''): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      BERTH_TEST_LINES: lines,
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    },
  })
  // Ctrl-C also reaches the child. Its orderly end then ends this process.
  process.once('SIGINT', () => undefined)
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

const listed = (files: readonly string[]): string =>
  files.length === 1 ? String(files[0]) : `${files.length} files`

function conclude(problem: string, { passed, failed }: { passed: number; failed: number }): number {
  process.stdout.write(`${problem ? `${problem}\n` : ''}\n${passed} passed, ${failed} failed\n`)
  return failed > 0 || passed === 0 ? 1 : 0
}
