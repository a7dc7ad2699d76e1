import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { root } from './run-check.ts'
import { breakingChanges, drift, explainsBreak, type Contract } from './built/schema.ts'

const contractFile = /\.(graphql|json)$/

function contractIn(folder: string): Contract {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => contractFile.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

function regenerated(): Contract {
  const folder = mkdtempSync(join(tmpdir(), 'berth-schema-'))
  try {
    execFileSync(process.execPath, ['server/dist/emit-schema.js', '--out', folder], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: 60_000,
    })
    return contractIn(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the contract of a commit, without the files that the commit does not have. */
function contractOf(revision: string): Contract {
  return Object.fromEntries(
    Object.keys(current).flatMap((name) => {
      const text = git('show', `${revision}:schema/${name}`)
      return text === null ? [] : [[name, text]]
    }),
  )
}

/** Returns the output of git, or null when it fails. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null
  }
}

const current = contractIn(join(root, 'schema'))
const problems = drift(current, regenerated())
const head = contractOf('HEAD')
// The present change is uncommitted work, or else the last commit.
const isCommitted = isDeepStrictEqual(head, current)
const breaking = breakingChanges(isCommitted ? contractOf('HEAD~1') : head, current)
const isExplained = !isCommitted || explainsBreak(git('log', 'HEAD~1..HEAD', '--format=%B') ?? '')
process.stdout.write(
  [
    ...breaking.map((change) => `breaks clients: ${change}`),
    ...(breaking.length > 0 && !(isCommitted && isExplained)
      ? [
          'Until the first release, a commit may break clients when its message has a line `Breaks: <why>`.',
        ]
      : []),
    ...problems,
    problems.length === 0 ? 'schema: fresh' : '',
  ]
    .filter(Boolean)
    .join('\n') + '\n',
)
process.exitCode = problems.length === 0 && (breaking.length === 0 || isExplained) ? 0 : 1
