import { createHash } from 'node:crypto'
import type pg from 'pg'
import { type Log } from '../../runtime/log.ts'
import { OutdatedBuildError, isOutdated } from './schema-version.ts'

/*
 * Berth works as the application role: it owns no table, and row level security applies to it.
 * Roles belong to the whole server, so each database has its own, named after the database. The
 * tables grant their rights to it, and so a copy or a dump of a database still names its role.
 *
 * An owner that may not create roles works itself. Row level security is forced on every table, so
 * it separates tenants for the owner as well. Only the rights that append-only tables lack do not
 * bind an owner.
 */

/** The name of the application role in the texts of migrations. */
const placeholder = /\bberth_app\b/g

const grantee = `
select role.rolname from pg_class as relation, aclexplode(relation.relacl) as granted
  join pg_roles as role on role.oid = granted.grantee
 where relation.oid = to_regclass('change_horizon') and granted.grantee <> relation.relowner
 limit 1`

const becoming = `
select ${isOutdated} as "isOutdated",
       set_config('role', coalesce((${grantee}), current_user), false)`

/** Continues a new session as the application role of its database. */
export async function becomeAppRole(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isOutdated: boolean }>(becoming)
  if (rows[0]?.isOutdated) throw new OutdatedBuildError()
}

/**
 * Options of a pool whose sessions are those of the application role. The pool waits for the
 * promise.
 */
export const inAppRole = { onConnect: becomeAppRole }

/** Returns the text of a migration for this application role. */
export const sqlFor = (role: string, sql: string): string =>
  sql.replace(placeholder, `"${role.replaceAll('"', '""')}"`)

/** The rights of the connected user that Berth lacks in the database. */
export class MissingRightsError extends Error {
  override readonly name = 'MissingRightsError'
  readonly user: string
  readonly rights: readonly string[]

  constructor(user: string, rights: readonly string[]) {
    super(`the database user ${user} lacks ${rights.join(', ')}`)
    this.user = user
    this.rights = rights
  }
}

interface Owner {
  user: string
  database: string
  mayExtend: boolean
  mayCreate: boolean
  bypassesPolicies: boolean
  role: string | null
}

const whoAmI = `
select current_user::text as "user", current_database()::text as database,
       has_database_privilege(current_database(), 'create') as "mayExtend",
       has_schema_privilege('public', 'create') as "mayCreate",
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "bypassesPolicies",
       case when to_regclass('change_horizon') is not null
            then coalesce((${grantee}), current_user::text) end as role`

/**
 * Returns the role that the migrations grant rights to. An empty database gets a new role when the
 * user may create one, and otherwise the user itself. Call it inside the migrating transaction.
 */
export async function appRoleOf(client: pg.Client, log: Log): Promise<string> {
  const owner = (await client.query<Owner>(whoAmI)).rows[0]
  if (!owner) throw new TypeError('PostgreSQL did not name the current user')
  if (owner.role) return owner.role
  const rights = [
    ...(owner.mayExtend ? [] : [`CREATE on the database ${owner.database}`]),
    ...(owner.mayCreate ? [] : ['CREATE on the schema public']),
  ]
  if (rights.length > 0) throw new MissingRightsError(owner.user, rights)
  const role = appRoleName(owner.database)
  if (await obtains(client, role)) return role
  if (owner.bypassesPolicies)
    throw new MissingRightsError(owner.user, [`CREATEROLE, or membership in the role ${role}`])
  log.warn('database.owner_is_application', {
    user: owner.user,
    effect: `Berth works as the owner of its tables. Row level security separates tenants; the rights that protect the audit log do not bind an owner`,
    remedy: `none. To protect the audit log too: stop Berth now, run create role "${role}" nologin; grant "${role}" to "${owner.user}"; then drop and create the empty database, and start Berth again`,
  })
  return owner.user
}

/** Roles that another user created can be used by their members. */
async function obtains(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ isMember: boolean }>(
    `select pg_has_role(current_user, oid, 'member') as "isMember" from pg_roles where rolname = $1`,
    [role],
  )
  if (rows[0]?.isMember) return true
  await client.query('savepoint application_role')
  try {
    if (!rows[0]) await client.query(sqlFor(role, 'create role berth_app nologin'))
    await client.query(`${sqlFor(role, 'grant berth_app')} to current_user`)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === insufficientPrivilege))
      throw error
    await client.query('rollback to savepoint application_role')
    return false
  }
}

const insufficientPrivilege = '42501'
/** PostgreSQL cuts longer names. */
const longestName = 63

/** Returns the name of the application role of a new database. */
export function appRoleName(database: string): string {
  const name = `berth_app_${database}`
  if (Buffer.byteLength(name) <= longestName) return name
  return `berth_app_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`
}
