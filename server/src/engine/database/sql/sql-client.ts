import { type ClientBase, type Pool } from 'pg'

/** Runs plain statements: a pool, one of its connections, or the connection of a unit. */
export interface SqlClient {
  query<Row extends object>(
    statement: string | Prepared,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>
}

/**
 * A statement that the engine repeats often, prepared once per connection. Parsing and planning
 * took half of a deploy's PostgreSQL time (measured: claims, fences and enqueues 0.4 ms each, of
 * which 0.1 ms to run).
 */
export interface Prepared {
  readonly name: string
  readonly text: string
}

/** Runs a transaction for the engine's own bookkeeping. Business writes go through a unit. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is closed instead of reused.
    await client.query('rollback').catch((cause: unknown) => {
      broken = cause instanceof Error ? cause : new TypeError('the rollback failed', { cause })
    })
    throw error
  } finally {
    client.release(broken)
  }
}
