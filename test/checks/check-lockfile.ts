import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from './files.ts'
import { lockfileProblems } from './lockfile.ts'
import { root } from './run-check.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifests = filesOf(root).filter((file) => /(^|\/)package\.json$/.test(file))

const problems = lockfileProblems({
  lockfile: read('pnpm-lock.yaml'),
  workspace: read('pnpm-workspace.yaml'),
  manifests: Object.fromEntries(manifests.map((path) => [path, read(path)])),
})
process.stdout.write(problems.length === 0 ? 'lockfile: nothing found\n' : `${problems.join('\n')}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
