import pg from 'pg'
import { type Clock, systemClock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { sha256 } from '../../runtime/ids.ts'
import { appRoleOf, sqlFor } from './app-role.ts'
import { type OutdatedReplica, outdatedReplicas } from './schema-version.ts'

/** One SQL file. The database records its name, which determines the order. */
export interface Migration {
  name: string
  sql: string
  /** Checksums of earlier texts of the file, whose effect was the same. */
  formerChecksums?: readonly string[]
}

/** The database was created by another build, and this build can neither use nor upgrade it. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError'
  readonly madeBy: 'newer build' | 'pre-release build'

  constructor(madeBy: DatabaseVersionError['madeBy'], migration: string) {
    super(`a ${madeBy} ran the migration ${migration}`)
    this.madeBy = madeBy
  }
}

/**
 * Several replicas may start at once. One migrates; the other replicas wait for its transaction.
 */
const lockKey = 0x62657274

// The table of a pre-release build has no `checksum` column.
const readLedger = `
  select name, to_jsonb(berth_migration) ->> 'checksum' as checksum, works_from as "worksFrom"
    from berth_migration order by name collate "C"`

// An alteration locks the table, so it runs only for a ledger that lacks the column.
const createLedger = `
  create table if not exists berth_migration (
    name text primary key,
    checksum text not null,
    executed_at timestamptz not null default now(),
    works_from text
  );
  do $$ begin
    if not exists (select from pg_attribute
                    where attrelid = 'berth_migration'::regclass and attname = 'works_from') then
      alter table berth_migration add column works_from text;
    end if;
  end $$`

// A statement that waits for a table holds up every later query of that table. This is how long a
// migration may hold up the replicas that still serve it.
const lockTimeout = '2s'
const lockNotAvailable = '55P03'
const pauseMs = 3_000

/** Replicas of an older build serve the database, and would not understand a migrated schema. */
class ReplicasTooOld extends Error {
  constructor(migration: string, replicas: readonly OutdatedReplica[]) {
    const named = replicas.map(({ host, lastMigration }) => `${host} (up to ${lastMigration})`)
    super(`replicas that do not know ${migration} are connected: ${named.join(', ')}`)
  }
}

/**
 * Runs the pending migrations in the order of their names, in one transaction. It works as the
 * database owner; the application role has fewer rights. It gives up its locks and tries again
 * while another session uses a table that a migration changes, or a replica is too old.
 */
export async function runMigrations(
  url: string,
  migrations: readonly Migration[],
  { log, clock = systemClock }: MigrationContext,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  // A lost connection rejects the query. Without a listener it would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    let reported = ''
    for (;;) {
      const obstacle = await attempt(client, migrations, log)
      if (!obstacle) return
      if (obstacle.reason !== reported) log.warn('database.migration_waits', { ...obstacle })
      reported = obstacle.reason
      await clock.sleep(pauseMs)
    }
  } finally {
    await client.end()
  }
}

interface MigrationContext {
  log: Log
  clock?: Pick<Clock, 'sleep'>
}

/** A reason why the migrations cannot run yet, in the fields of a log line. */
interface Obstacle {
  reason: string
  effect: string
  remedy: string
}

/** Runs the pending migrations once. Returns what they must wait for, or null after they ran. */
async function attempt(
  client: pg.Client,
  migrations: readonly Migration[],
  log: Log,
): Promise<Obstacle | null> {
  try {
    await migrateInTransaction(client, migrations, log)
    return null
  } catch (error) {
    const remedy = remedyFor(error)
    if (!remedy) throw error
    await client.query('rollback')
    const effect = 'Berth does not start yet; nothing was changed, and other replicas go on.'
    return { reason: String(error), effect, remedy }
  }
}

function remedyFor(error: unknown): string | null {
  if (error instanceof ReplicasTooOld)
    return 'Stop these replicas; then the migration runs by itself.'
  const cause = error instanceof TypeError ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === lockNotAvailable
    ? "It tries again by itself. If this repeats, end the sessions that hold locks: select pid, query from pg_stat_activity where xact_start < now() - interval '1 min'."
    : null
}

async function migrateInTransaction(
  client: pg.Client,
  migrations: readonly Migration[],
  log: Log,
): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [lockKey])
  await client.query(`set local lock_timeout = '${lockTimeout}'`)
  // Row level security applies to an ordinary owner as well.
  await client.query(`select set_config('berth.scope', 'platform', true)`)
  const role = await appRoleOf(client, log)
  await client.query(createLedger)
  const { rows } = await client.query<LedgerRow>(readLedger)
  const pending = pendingMigrations(migrations, rows)
  await checkReplicas(client, pending)
  for (const migration of pending) await run(client, sqlFor(role, migration.sql), migration)
  await client.query(analyzeSmallTables)
  await client.query('commit')
  if (pending.length > 0)
    log.info('database.migrated', { migrations: pending.map(({ name }) => name) })
}

/**
 * Autovacuum never analyzes a table with one row. Without statistics PostgreSQL expects thousands
 * of rows, and takes seconds to compile the query that reads the change log.
 */
const analyzeSmallTables = `
  do $$ begin
    if to_regclass('change_horizon') is not null then analyze change_horizon; end if;
  end $$`

/** Throws when a connected replica would not understand the result of the migrations. */
async function checkReplicas(client: pg.Client, pending: readonly Migration[]): Promise<void> {
  const oldest = pending.map(worksFrom).toSorted().at(-1)
  if (oldest === undefined) return
  const replicas = await outdatedReplicas(client, oldest)
  if (replicas.length > 0) throw new ReplicasTooOld(oldest, replicas)
}

interface LedgerRow {
  name: string
  checksum: string | null
  /** The last migration of the oldest build that works with the result. Null in older ledgers. */
  worksFrom: string | null
}

/**
 * Returns the last migration of the oldest build that works with the result of this one. A text
 * that names none suits only builds that know it.
 */
export const worksFrom = ({ name, sql }: Migration): string =>
  /^-- works_from: (\S+)$/m.exec(sql)?.[1] ?? name

/**
 * A migration never changes after it ran, so the ledger is a prefix of the list. A longer ledger is
 * that of a newer build, and its migrations say whether this build still works.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  ledger: readonly LedgerRow[],
): readonly Migration[] {
  const last = migrations.at(-1)?.name ?? ''
  for (const [index, { name, checksum, worksFrom: oldest }] of ledger.entries()) {
    const migration = migrations[index]
    if (!migration && oldest !== null && oldest <= last) continue
    if (!migration) throw new DatabaseVersionError('newer build', name)
    if (migration.name !== name || !isTextOf(migration, checksum))
      throw new DatabaseVersionError('pre-release build', name)
  }
  return migrations.slice(ledger.length)
}

const isTextOf = (migration: Migration, checksum: string | null): boolean =>
  checksum !== null &&
  [checksumOf(migration), ...(migration.formerChecksums ?? [])].includes(checksum)

export const checksumOf = ({ sql }: Migration): string => sha256(sql).toString('hex')

async function run(client: pg.Client, sql: string, migration: Migration): Promise<void> {
  const { name } = migration
  try {
    await client.query(sql)
  } catch (error) {
    throw new TypeError(`the migration ${name} failed: ${String(error)}`, { cause: error })
  }
  await client.query(
    'insert into berth_migration (name, checksum, works_from) values ($1, $2, $3)',
    [name, checksumOf(migration), worksFrom(migration)],
  )
}
