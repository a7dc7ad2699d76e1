import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from './files.ts'
import { lockfileProblems } from './built/lockfile.ts'
import { root } from './run-check.ts'

// The check `lockfile` of `npm test`: every package has a hash and comes from the registry.

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const named = (pattern: RegExp) =>
  Object.fromEntries(
    filesOf(root).flatMap((path) => (pattern.test(path) ? [[path, read(path)]] : [])),
  )

const problems = lockfileProblems({
  lockfile: read('pnpm-lock.yaml'),
  workspace: read('pnpm-workspace.yaml'),
  npmrc: named(/(^|\/)\.npmrc$/),
  manifests: named(/(^|\/)package\.json$/),
})
process.stdout.write(
  problems.length === 0 ? 'lockfile: nothing found\n' : `${problems.join('\n')}\n`,
)
process.exitCode = problems.length === 0 ? 0 : 1
