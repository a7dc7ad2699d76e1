import pg from 'pg'
import { faultFromDatabase } from '../database-fault.ts'
import { type ScopedConfig, knownQuery, scopeStatement, scopeValues } from './known-query.ts'

// The statement that is run carries the row type; pg types every row as a record of anything.
const rowsOf = <Row>(result: pg.QueryResult): Row[] => result.rows as Row[]

/**
 * Prepares the scope statement on a fresh connection; every KnownQuery with a scope relies on it
 * being there.
 */
export async function prepareScope(client: pg.ClientBase): Promise<void> {
  await client.query({ ...scopeStatement, values: scopeValues({ tenantId: '' }) })
}

/**
 * One statement under a scope, in one round trip and as one promise; what the database cannot do
 * now is told as a refusal.
 */
export function scopedQuery<Row>(pool: pg.Pool, config: ScopedConfig): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
  pool.connect((lost, client, release) => {
    if (!client) return reject(faultFromDatabase(lost, {}))
    const settle = (error: unknown, result?: pg.QueryResult): void => {
      release(
        keepsConnection(error) ? undefined : new TypeError('connection lost', { cause: error }),
      )
      if (result) resolve(rowsOf<Row>(result))
      else reject(faultFromDatabase(error, {}))
    }
    try {
      client.query(
        knownQuery(config, (error, result) => (error ? settle(error) : settle(null, result))),
      )
    } catch (error) {
      settle(error)
    }
  })
  return promise
}

/**
 * What ends a session is told in an answer too; its connection must not be handed to the next
 * caller while it closes.
 */
const keepsConnection = (error: unknown): boolean =>
  error === null || (error instanceof pg.DatabaseError && error.severity !== 'FATAL')
