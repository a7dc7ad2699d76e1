import pg from 'pg'
import { faultFromDatabase } from '../database-fault.ts'
import { askScoped } from '../pg-driver.ts'
import { type ScopedConfig } from './known-query.ts'

// The statement carries the row type; pg types every row as an arbitrary record.
const rowsOf = <Row>(result: pg.QueryResult): Row[] => result.rows as Row[]

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
      askScoped(client, config, settle)
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
