import { spawnSync } from 'node:child_process'
import { printLists } from '../checks/lists/print-lists.ts'
import { formatted } from './steps.ts'

// The program of `npm run fix`: it prints the lists, ESLint repairs what its rules can repair, and
// Prettier formats.
const root = new URL('../..', import.meta.url).pathname
const node = (...args: readonly string[]): number =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1

await printLists(root)
const lint = 'test/checks/lint/eslint.config.js'
const folders = ['server', 'web', 'test']
node('test/node_modules/eslint/bin/eslint.js', '--config', lint, '--quiet', '--fix', ...folders)
const format = ['--write', '--log-level', 'warn', '--no-error-on-unmatched-pattern']
process.exitCode = node('test/node_modules/prettier/bin/prettier.cjs', ...format, ...formatted)
