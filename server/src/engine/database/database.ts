import { MikroORM, type Options } from '@mikro-orm/postgresql'
import pg from 'pg'
import { systemClock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type ConstraintSentences } from './database-fault.ts'
import { becomeAppRole, inAppRole } from './app-role.ts'
import { DiskSpace } from './disk-space.ts'
import { type PgDriver, mikroOrmDriver, prepareClient } from './pg-driver.ts'
import { WriteSlots } from './write-slots.ts'

type Entities = Readonly<NonNullable<Options['entities']>>

export interface Database {
  readonly orm: MikroORM
  readonly pool: pg.Pool
  readonly writeSlots: WriteSlots
  readonly diskSpace: DiskSpace
  readonly constraints: ConstraintSentences
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** The entities that a unit of work can load and change. */
  entities: Entities
  constraints: ConstraintSentences
  log: Log
  driver?: PgDriver
  poolSize?: number
  /** Connections that writes leave free for reads. */
  reservedForReads?: number
  /** Connections that the writes of one tenant use at once. */
  writesPerTenant?: number
}

// A long transaction holds back the watermark of the change log for all readers. These bounds end
// it. Compiling short queries costs more than running them, and PostgreSQL does it by default.
const sessionSettings =
  '-c jit=off -c idle_in_transaction_session_timeout=10s -c statement_timeout=15s -c lock_timeout=5s -c timezone=UTC'

/**
 * Adds a client-side timeout for connections that disappear silently; the server ends slow
 * statements sooner. A unix socket never disappears silently.
 */
function networkTimeout(url: string): { query_timeout?: number } {
  return /(@|host=|:\/\/)(%2F|\/)/i.test(url) ? {} : { query_timeout: 20_000 }
}

/**
 * Connects as the application role. The role owns no table, and row level security applies to it.
 */
export async function connectDatabase({
  url,
  entities,
  constraints,
  log,
  driver = 'fast',
  poolSize = 12,
  reservedForReads = 4,
  writesPerTenant = 3,
}: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    driver: mikroOrmDriver(driver),
    entities: [...entities],
    dbName: databaseName(url),
    allowGlobalContext: false,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    pool: { max: poolSize },
    driverOptions: {
      connectionString: url,
      pipeline: true,
      connectionTimeoutMillis: 5_000,
      ...networkTimeout(url),
      options: sessionSettings,
      onConnect: async (client: pg.ClientBase) => {
        await becomeAppRole(client)
        await prepareClient(client, driver)
      },
    },
    logger: (text) =>
      log.warn('database.orm_warning', {
        text,
        effect: 'none; the query continues',
        remedy: 'none, unless it repeats: report the text to the developers of Berth',
      }),
  })
  const pool = await orm.em.getConnection().getNativeClient()
  const total = Math.max(1, poolSize - reservedForReads)
  const writeSlots = new WriteSlots({ total, perTenant: writesPerTenant }, systemClock)
  const diskSpace = new DiskSpace(log, systemClock)
  return { orm, pool, writeSlots, diskSpace, constraints, close: () => orm.close() }
}

/** A row that every role of Berth may update. Its values stay the same. */
const unchangedRow = 'update change_horizon set only_row = only_row'

/** Writes to the database and changes nothing. Throws when no write is possible. */
export async function checkWrites({ pool, diskSpace }: Database): Promise<void> {
  if (diskSpace.recentError) throw diskSpace.recentError
  await pool.query(unchangedRow).catch((error: unknown) => {
    diskSpace.record(error)
    throw error
  })
}

/**
 * Returns the connection settings of the platform's own workers. Workers read across tenants; each
 * unit that they open sets its own scope.
 */
export function workerConnection(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    ...networkTimeout(url),
    options: `-c berth.scope=platform ${sessionSettings}`,
  }
}

export function openWorkerPool(url: string, log: Log, size = 12): pg.Pool {
  const pool = new pg.Pool({ ...workerConnection(url), max: size, ...inAppRole })
  // The pool replaces a dropped idle connection at the next use. Without a listener the error would
  // end the process.
  pool.on('error', (error) =>
    log.warn('database.idle_connection_lost', {
      pool: 'worker',
      error,
      effect: 'none; the next use opens another connection',
      remedy: 'none, unless it repeats: check PostgreSQL and the network to it',
    }),
  )
  // A connection that ends between two queries of a transaction emits an error as well. The next
  // query reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export function databaseName(url: string): string {
  return (
    decodeURIComponent(
      new URL(url.replace(/^postgres(ql)?:\/\/\//, 'postgresql://socket/')).pathname.slice(1),
    ) || 'postgres'
  )
}
