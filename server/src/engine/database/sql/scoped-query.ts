import pg from 'pg'
import { faultFromDatabase } from '../database-fault.ts'
import { type ScopedConfig, knownQuery, scopeStatement, scopeValues } from './known-query.ts'

// The statement carries the row type; pg types every row as an arbitrary record.
const rowsOf = <Row>(result: pg.QueryResult): Row[] => result.rows as Row[]

/** Prepares the scope statement on a new connection. Every KnownQuery with a scope relies on it. */
export async function prepareScope(client: pg.ClientBase): Promise<void> {
  await client.query({ ...scopeStatement, values: scopeValues({ tenantId: '' }) })
}

/** Runs one statement under a scope in one round trip. Temporary database errors become faults. */
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
 * True when the connection can be reused. A FATAL error ends the session, so the next caller must
 * not get that connection while it closes.
 */
const keepsConnection = (error: unknown): boolean =>
  error === null || (error instanceof pg.DatabaseError && error.severity !== 'FATAL')
