import { execFileSync, spawnSync } from 'node:child_process'
import { exceptionsOf } from '../checks/exceptions.ts'
import { line } from '../checks/finding.ts'
import { lintFindings } from '../checks/lint/lint.ts'
import { root } from '../checks/run-check.ts'

/*
 * The pre-commit hook: format and lint of the staged files, and the arrows when an import changed.
 * `git commit --no-verify` skips it; CI checks everything again.
 */
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const passes = (...args: readonly string[]): boolean =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0

const staged = git('diff', '--cached', '--name-only', '--diff-filter=ACMR').split('\n')
const formattable = staged.filter((file) =>
  /^(server|web|test)\/.*\.(ts|js|vue|css|html|json)$/.test(file),
)
const source = formattable.filter((file) => /\.(ts|js|vue)$/.test(file) && !file.endsWith('.d.ts'))

const prettier = ['test/node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn']
const isFormatted = formattable.length === 0 || passes(...prettier, ...formattable)
const isLinted = source.length === 0 || (await passesLint(source))
const changesImports = /^[+-](import|export) .*from|^[+-]\} from/m.test(
  git('diff', '--cached', '-U0'),
)
const isInOrder = !changesImports || passes('test/checks/check-arrows.ts')
if (!isFormatted || !isLinted)
  process.stdout.write('`npm run fix` repairs the format and some lint findings.\n')
process.exitCode = isFormatted && isLinted && isInOrder ? 0 : 1

async function passesLint(files: readonly string[]): Promise<boolean> {
  const { entries } = exceptionsOf(root, 'lint')
  const left = (await lintFindings(root, files)).filter(
    ({ file, rule }) => !entries.some((entry) => entry.file === file && entry.rule === rule),
  )
  for (const finding of left) process.stdout.write(`${line(finding)}\n`)
  return left.length === 0
}
