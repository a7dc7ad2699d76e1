import { resolve } from 'node:path'
import pg from 'pg'
import type { Clock, Stoppable } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { isAlive } from './embedded-abandoned.ts'
import { choosePrivileges, findBinaries } from './embedded-binaries.ts'
import { ensureCluster, ensureSocketDir, superuser } from './embedded-cluster.ts'
import { lowerPostmaster, type PostmasterPlan, raisePostmaster } from './embedded-postmaster.ts'

/*
 * Berth on one machine brings the real PostgreSQL server along, as binaries from npm, and looks
 * after it: it is reached by a unix socket in a private folder only (so there is no port and no
 * password), it outlives a killed Berth and is adopted by the next one, and it is started again
 * when it dies. `postmaster.pid` is PostgreSQL's own guard against two servers on one folder; it is
 * removed only where it is provably a leftover (embedded-abandoned.ts).
 */

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: Log
  clock: Clock
  /** Override the settings below, for example `fsync: 'off'` in tests. */
  settings?: Readonly<Record<string, string>>
  onProgress?: (step: 'creating' | 'starting' | 'adopted' | 'ready') => void
}

export interface EmbeddedPostgres {
  readonly socketDir: string
  readonly user: string
  readonly database: string
  readonly connectionUrl: string
  readonly pid: number
  stop(): Promise<void>
}

const database = 'berth'
const watchEveryMs = 500

const defaults: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  idle_in_transaction_session_timeout: '10s',
  // Statements that fail are the application's to report, and their values do not belong into a
  // file of plain text.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const [binaries, privileges] = await Promise.all([findBinaries(), choosePrivileges()])
  const socketDir = await ensureSocketDir(dataDir, privileges)
  const plan: PostmasterPlan = {
    dataDir,
    socketDir,
    binaries,
    privileges,
    clock: options.clock,
    settings: { ...defaults, ...options.settings },
  }
  await ensureCluster({
    dataDir,
    binaries,
    privileges,
    onCreate: () => options.onProgress?.('creating'),
  })
  options.onProgress?.('starting')
  const postmaster = await raisePostmaster(plan)
  if (postmaster.adopted) options.onProgress?.('adopted')
  await ensureDatabase(socketDir)
  options.onProgress?.('ready')
  return supervise(plan, postmaster.pid, options.log)
}

/**
 * The host is the percent-encoded folder of the socket, the one form that libpq, pg and WHATWG URL
 * all read.
 */
export const urlOf = (socketDir: string, name: string): string =>
  `postgresql://${superuser}@${encodeURIComponent(socketDir)}/${name}`

function supervise(plan: PostmasterPlan, firstPid: number, log: Log): EmbeddedPostgres {
  let pid = firstPid
  let stopping: Promise<void> | null = null
  const watch: Stoppable = plan.clock.every(watchEveryMs, async () => {
    if (isAlive(pid)) return
    log.error('PostgreSQL died and is started again', { pid })
    try {
      pid = (await raisePostmaster(plan)).pid
    } catch (error) {
      log.error('PostgreSQL cannot be started', { error })
    }
  })
  const stop = async () => {
    await watch.stop()
    await lowerPostmaster(plan, pid)
  }
  return {
    socketDir: plan.socketDir,
    user: superuser,
    database,
    connectionUrl: urlOf(plan.socketDir, database),
    get pid() {
      return pid
    },
    stop: () => (stopping ??= stop()),
  }
}

async function ensureDatabase(socketDir: string): Promise<void> {
  const client = new pg.Client({
    connectionString: urlOf(socketDir, 'postgres'),
    connectionTimeoutMillis: 5_000,
  })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${database}`)
  } finally {
    await client.end()
  }
}
