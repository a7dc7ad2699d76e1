import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run-check.ts'
import { breakingChanges, drift, type Contract } from './built/schema.ts'

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

/**
 * Returns the contract before the present change: the one of HEAD for uncommitted work, the one of
 * its parent after the commit.
 */
function contractBefore(now: string): string {
  const head = committed('HEAD') ?? now
  return head === now ? (committed('HEAD~1') ?? now) : head
}

function committed(revision: string): string | null {
  try {
    return execFileSync('git', ['show', `${revision}:schema/schema.graphql`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null
  }
}

const current = contractIn(join(root, 'schema'))
const sdl = current['schema.graphql'] ?? ''
const problems = drift(current, regenerated())
// Breaking changes are reported but allowed until the first release, with the reason in the commit.
const breaking = breakingChanges(contractBefore(sdl), sdl).map(
  (change) => `breaks clients: ${change}`,
)
process.stdout.write(
  [...breaking, ...problems, problems.length === 0 ? 'schema: fresh' : '']
    .filter(Boolean)
    .join('\n') + '\n',
)
process.exitCode = problems.length === 0 ? 0 : 1
