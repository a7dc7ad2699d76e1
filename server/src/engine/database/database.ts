import { MikroORM, type Options } from '@mikro-orm/postgresql'
import pg from 'pg'
import { type Log } from '../../runtime/log.ts'
import { type ConstraintSentences } from './database-fault.ts'
import { gatherWrites } from './gather-writes.ts'
import { PreparedDriver } from './prepared-driver.ts'
import { prepareScope } from './sql/scoped-query.ts'

type Entities = Readonly<NonNullable<Options['entities']>>

export interface Database {
  readonly orm: MikroORM
  readonly pool: pg.Pool
  readonly constraints: ConstraintSentences
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** What the unit of work can load and change. */
  entities: Entities
  constraints: ConstraintSentences
  log: Log
  poolSize?: number
}

// A long transaction holds the event watermark back for everybody; these bounds make it end.
const sessionBounds =
  '-c idle_in_transaction_session_timeout=10s -c statement_timeout=15s -c lock_timeout=5s -c timezone=UTC'

/**
 * The server ends a slow statement sooner; this is for a connection that is silently gone, which a
 * unix socket never is.
 */
function farAway(url: string): { query_timeout?: number } {
  return /(@|host=|:\/\/)(%2F|\/)/i.test(url) ? {} : { query_timeout: 20_000 }
}

/** Connects as the application role: it owns nothing and row level security holds for it. */
export async function connectDatabase({
  url,
  entities,
  constraints,
  log,
  poolSize = 12,
}: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    driver: PreparedDriver,
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
      ...farAway(url),
      options: `-c role=berth_app ${sessionBounds}`,
      async onConnect(client: pg.ClientBase) {
        gatherWrites(client)
        await prepareScope(client)
      },
    },
    logger: (message) => log.warn(message),
  })
  const pool = await orm.em.getConnection().getNativeClient()
  return { orm, pool, constraints, close: () => orm.close() }
}

/**
 * How the platform's own workers connect: they look across tenants, and the units they open set a
 * scope of their own.
 */
export function workerConnection(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    ...farAway(url),
    options: `-c role=berth_app -c berth.scope=platform ${sessionBounds}`,
  }
}

export function openWorkerPool(url: string, log: Log): pg.Pool {
  const pool = new pg.Pool({ ...workerConnection(url), max: 12 })
  // A dropped idle connection is replaced at the next use; without a listener it would end the
  // process.
  pool.on('error', (error) => log.warn('a worker connection was lost', { error }))
  // So would one that ends between two queries of a transaction; the next query finds out anyway.
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
