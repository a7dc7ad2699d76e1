import type pg from 'pg'

/*
 * While an operator replaces replicas, two builds work on one database. Each session of Berth
 * carries the last migration that its build knows, and the ledger says for each migration which
 * builds work with its result. So a migration waits for replicas that are too old for it, and a
 * replica that is too old cannot connect again.
 */

const prefix = 'berth '

/** Returns the URL with a session name that tells the last migration which this build knows. */
export function nameSessions(url: string, lastMigration: string): string {
  const name = encodeURIComponent(`${prefix}${lastMigration}`)
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`
}

/** The last migration that the build of a session knows. Null for sessions of other programs. */
const lastKnown = (name: string): string =>
  `(substring(${name} from '^${prefix}(.+)$') collate "C")`

/** True when the build of this session cannot work with the schema. */
export const isOutdated = `exists (select from berth_migration
  where works_from collate "C" > ${lastKnown(`current_setting('application_name')`)})`

/** The code of an OutdatedBuildError, among the SQL states. */
export const outdatedBuild = 'outdated_build'

/** A newer build changed the schema while this replica was not connected. */
export class OutdatedBuildError extends Error {
  override readonly name = 'OutdatedBuildError'
  readonly code = outdatedBuild

  constructor() {
    super('this build of Berth is too old for the database, which a newer build changed')
  }
}

const outdatedSessions = `
select distinct coalesce(host(client_addr), 'this machine') as host,
       ${lastKnown('application_name')} as "lastMigration"
  from pg_stat_activity
 where datname = current_database() and ${lastKnown('application_name')} < $1
 order by 1, 2`

/** A replica that serves the database and would not understand the result of a migration. */
export interface OutdatedReplica {
  host: string
  lastMigration: string
}

/**
 * Returns the connected replicas whose build knows less than the given migration. Until the end of
 * the transaction no other session can begin, because each one reads the ledger first.
 */
export async function outdatedReplicas(
  client: pg.ClientBase,
  oldestMigration: string,
): Promise<OutdatedReplica[]> {
  await client.query('lock table berth_migration in access exclusive mode')
  const { rows } = await client.query<OutdatedReplica>(outdatedSessions, [oldestMigration])
  return rows
}
