import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { migrate } from '../../../server/src/store/migrate.ts'
import { databaseName } from '../../../server/src/engine/database/database.ts'
import { type Lease } from '../../../server/src/engine/reconcile/work-lease.ts'
import { type WorkKey } from '../../../server/src/engine/model/work-key.ts'
import { ring } from '../../../server/src/engine/reconcile/work-doorbell.ts'
import { type Work, openWork } from '../../../server/src/engine/reconcile/work.ts'
import { runSql } from '../postgres/server.ts'
import { type TestDatabase, aDatabase, aDedicatedPostgres } from '../postgres/database.ts'

export const platformOptions = '-c role=berth_app -c berth.scope=platform'

export interface EngineWorld extends AsyncDisposable {
  readonly database: TestDatabase
  /** The worker's pool: the application's role, all tenants. */
  readonly pool: pg.Pool
  aTenant(): Promise<string>
  /** A key that was rung and waits. */
  aKey(kind: string, tenantId: string): Promise<WorkKey>
  keys(kind: string, tenantId: string, count: number): Promise<WorkKey[]>
  openWork(owner: string, options?: { leaseMs?: number; onFenced?: (lease: Lease) => void }): Work
  /** The row of a key as the superuser sees it; undefined when it is done. */
  workRow(key: WorkKey): Promise<Record<string, unknown> | undefined>
}

export const quiet = { clock: systemClock, log: createLog('silent') }

/**
 * A PostgreSQL of its own: a paused process may sit in a transaction for seconds, and while it
 * does, no change log of the whole cluster can be read beyond it.
 */
export async function aDatabaseApart(): Promise<TestDatabase> {
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

/** A migrated database and the engine's pools on it. */
export async function anEngineWorld(given?: TestDatabase): Promise<EngineWorld> {
  const database = given ?? (await aDatabase())
  const pool = new pg.Pool({ connectionString: database.url, options: platformOptions, max: 24 })
  // Tests cut connections on purpose; an idle one that dies is no news.
  pool.on('error', () => undefined)
  const keys = async (kind: string, tenantId: string, count: number): Promise<WorkKey[]> => {
    const made = Array.from({ length: count }, () => ({ kind, objectId: randomUUID(), tenantId }))
    await ring(pool, made)
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
