import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../server/src/engine/postgres/embedded.ts'
import { databaseUrl, runSql, templateName } from './server.ts'

/** A database of one test file. */
export interface TestDatabase {
  name: string
  url: string
  /** Runs a statement as superuser, without row level security. Only for setup and inspection. */
  sql(statement: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

/** Creates a migrated database. Dropping it is optional: the cluster is removed after the run. */
export async function aDatabase({ template = templateName } = {}): Promise<TestDatabase> {
  const socketDir = inject('postgresSocketDir')
  const name = `t_${randomBytes(6).toString('hex')}`
  // The write-ahead log of the copy would only be needed after a crash.
  const copy = `template ${template} strategy file_copy`
  await runSql(socketDir, 'postgres', `create database ${name} ${copy}`)
  const url = databaseUrl(socketDir, name)
  const pool = openPool(url)
  const drop = async (): Promise<void> => {
    await pool.end()
    await runSql(socketDir, 'postgres', `drop database if exists ${name} with (force)`)
  }
  return { name, url, sql: async (statement) => (await pool.query(statement)).rows, drop }
}

/** Tests poll many times a second, and a new connection for each poll would occupy one CPU core. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4, allowExitOnIdle: true })
  // Tests terminate connections on purpose, and the pool replaces a lost idle one.
  pool.on('error', () => undefined)
  return pool
}

/** A PostgreSQL server of one test file. */
export interface DedicatedPostgres extends EmbeddedPostgres {
  dataDir: string
  remove(): Promise<void>
}

/** Starts a durable PostgreSQL cluster for tests that kill it. */
export async function aDedicatedPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<DedicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), `berth-test-${process.pid}-`))
  const dataDir = join(folder, 'pg')
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: createLog('silent'),
    clock: systemClock,
    settings,
  })
  const remove = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  // A getter must stay a getter: the pid changes when the supervisor starts PostgreSQL again.
  return Object.defineProperty({ ...postgres, dataDir, remove }, 'pid', {
    get: () => postgres.pid,
    enumerable: true,
  })
}
