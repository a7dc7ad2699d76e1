import { PostgreSqlDriver } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { batchWrites } from './batch-writes.ts'
import { PreparedDriver } from './prepared-driver.ts'
import {
  type KnownConfig,
  type ScopedConfig,
  knownQuery,
  scopeStatement,
  scopeValues,
} from './sql/known-query.ts'

/**
 * Chooses how statements reach PostgreSQL. `fast` uses internals of pg and MikroORM; `plain` uses
 * their public interfaces only, for versions whose internals have changed (decision 0080).
 */
export type PgDriver = 'fast' | 'plain'

type Settle = (error: Error | null, result?: pg.QueryResult) => void

const plainClients = new WeakSet<pg.ClientBase>()

export const mikroOrmDriver = (driver: PgDriver): typeof PostgreSqlDriver =>
  driver === 'fast' ? PreparedDriver : PostgreSqlDriver

/** Prepares a new connection. The other functions of this file rely on it. */
export async function prepareClient(client: pg.ClientBase, driver: PgDriver): Promise<void> {
  if (driver === 'plain') {
    plainClients.add(client)
    return
  }
  batchWrites(client)
  await client.query({ ...scopeStatement, values: scopeValues({ tenantId: '' }) })
}

/** True when statement texts of MikroORM repeat, because their values travel as parameters. */
export const sendsParameters = (client: pg.ClientBase): boolean => !plainClients.has(client)

/** Runs a statement in the transaction and scope of the client. */
export function ask(client: pg.ClientBase, config: KnownConfig): Promise<pg.QueryResult> {
  if (plainClients.has(client)) return client.query(config)
  return new Promise((resolve, reject) =>
    client.query(knownQuery(config, (error, result) => (error ? reject(error) : resolve(result)))),
  )
}

/** Runs one statement under a scope, in a transaction of its own. */
export function askScoped(client: pg.ClientBase, config: ScopedConfig, settle: Settle): void {
  if (plainClients.has(client))
    askInTransaction(client, config).then((result) => settle(null, result), settle)
  else client.query(knownQuery(config, settle))
}

async function askInTransaction(
  client: pg.ClientBase,
  { scope, ...query }: ScopedConfig,
): Promise<pg.QueryResult> {
  await client.query('begin')
  try {
    await client.query({ ...scopeStatement, values: scopeValues(scope) })
    const result = await client.query(query)
    await client.query('commit')
    return result
  } catch (error) {
    // The first error tells more. A lost connection fails here again and leaves the pool.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
