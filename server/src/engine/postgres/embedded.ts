import { resolve } from 'node:path'
import pg from 'pg'
import type { Clock, Stoppable } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { isAlive } from './embedded-abandoned.ts'
import { choosePrivileges, findBinaries } from './embedded-binaries.ts'
import { ensureCluster, ensureSocketDir, superuser } from './embedded-cluster.ts'
import { stopPostmaster, type PostmasterPlan, startPostmaster } from './embedded-postmaster.ts'

/*
 * Runs the real PostgreSQL server for Berth on one machine, with binaries from npm. Clients reach
 * it only by a unix socket in a private folder, so there is no port and no password. It outlives a
 * killed Berth and is adopted by the next one, and it is restarted when it dies. `postmaster.pid`
 * is PostgreSQL's own protection against two servers on one folder. It is removed only where it is
 * provably a leftover (embedded-abandoned.ts).
 */

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: Log
  clock: Clock
  /** Overrides of the settings below, for example `fsync: 'off'` in tests. */
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
  // The application reports failed statements, and their values do not belong in a plain-text file.
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
  const postmaster = await startPostmaster(plan)
  if (postmaster.adopted) options.onProgress?.('adopted')
  await ensureDatabase(socketDir)
  options.onProgress?.('ready')
  return supervise(plan, postmaster.pid, options.log)
}

/**
 * Returns the connection URL. Its host is the percent-encoded socket folder, the one form that
 * libpq, pg and WHATWG URL all read.
 */
export const urlOf = (socketDir: string, name: string): string =>
  `postgresql://${superuser}@${encodeURIComponent(socketDir)}/${name}`

function supervise(plan: PostmasterPlan, firstPid: number, log: Log): EmbeddedPostgres {
  let pid = firstPid
  let stopping: Promise<void> | null = null
  const watch: Stoppable = plan.clock.every(watchEveryMs, async () => {
    if (isAlive(pid)) return
    log.error('postgres.exited', {
      exitedPid: pid,
      effect: 'Berth starts the embedded PostgreSQL again now; requests fail until it runs',
      remedy: `none, unless it repeats: read ${plan.dataDir}.log`,
    })
    try {
      pid = (await startPostmaster(plan)).pid
    } catch (error) {
      log.error('postgres.restart_failed', {
        error,
        retryInMs: watchEveryMs,
        effect: 'requests fail until the embedded PostgreSQL runs; Berth tries again',
        remedy: `if it repeats, read ${plan.dataDir}.log and free disk space`,
      })
    }
  })
  const stop = async () => {
    await watch.stop()
    await stopPostmaster(plan, pid)
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
