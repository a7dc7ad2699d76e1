import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { migrate } from '../../../server/src/store/migrate.ts'
import { databaseName } from '../../../server/src/engine/database/database.ts'
import { type Lease } from '../../../server/src/engine/reconcile/work-lease.ts'
import { type WorkKey } from '../../../server/src/engine/model/work-key.ts'
import { enqueueWork } from '../../../server/src/engine/reconcile/enqueue-work.ts'
import { type Work, openWork } from '../../../server/src/engine/reconcile/work.ts'
import { runSql } from '../postgres/server.ts'
import { type TestDatabase, aDatabase, aDedicatedPostgres } from '../postgres/database.ts'

export const platformOptions = '-c berth.scope=platform'

/** A database with the engine's tables and functions that fill them, without the rest of Berth. */
export interface EngineWorld extends AsyncDisposable {
  readonly database: TestDatabase
  /** The worker's pool, with the application's role and access to all tenants. */
  readonly pool: pg.Pool
  aTenant(): Promise<string>
  /** Enqueues a new key, which then waits. */
  aKey(kind: string, tenantId: string): Promise<WorkKey>
  keys(kind: string, tenantId: string, count: number): Promise<WorkKey[]>
  openWork(owner: string, options?: { leaseMs?: number; onFenced?: (lease: Lease) => void }): Work
  /** The work row of a key, read as superuser; undefined when the work is done. */
  workRow(key: WorkKey): Promise<Record<string, unknown> | undefined>
}

export const quiet = { clock: systemClock, log: createLog('silent') }

/**
 * Starts a PostgreSQL cluster of its own. A paused process can hold a transaction open for seconds.
 * During that time readers of every change log in the same cluster would wait for it.
 */
export async function aSeparateDatabase(): Promise<TestDatabase> {
  const postgres = await aDedicatedPostgres({
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  })
  const url = postgres.connectionUrl
  const name = databaseName(url)
  await migrate(url, quiet.log)
  return {
    name,
    url,
    sql: (statement) => runSql(postgres.socketDir, name, statement),
    drop: () => postgres.remove(),
  }
}

/** Opens a migrated database and the engine's pools on it. */
export async function anEngineWorld(existing?: TestDatabase): Promise<EngineWorld> {
  const database = existing ?? (await aDatabase())
  const pool = new pg.Pool({
    connectionString: database.url,
    options: platformOptions,
    max: 24,
    ...inAppRole,
  })
  // Tests cut connections on purpose, so errors of idle ones are ignored.
  pool.on('error', () => undefined)
  const keys = async (kind: string, tenantId: string, count: number): Promise<WorkKey[]> => {
    const made = Array.from({ length: count }, () => ({ kind, objectId: randomUUID(), tenantId }))
    await enqueueWork(pool, made)
    return made
  }
  return {
    database,
    pool,
    keys,
    async aTenant() {
      const id = randomUUID()
      const slug = `t-${id.slice(0, 8)}`
      await pool.query('insert into tenant (id, name, slug, namespace) values ($1, $2, $2, $2)', [
        id,
        slug,
      ])
      return id
    },
    async aKey(kind, tenantId) {
      const [key] = await keys(kind, tenantId, 1)
      return key as WorkKey
    },
    openWork: (owner, options = {}) => openWork({ pool, owner, ...options }),
    async workRow({ kind, objectId }) {
      const { rows } = await pool.query<Record<string, unknown>>(
        'select * from work where kind = $1 and object_id = $2',
        [kind, objectId],
      )
      return rows[0]
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database.drop()
    },
  }
}
