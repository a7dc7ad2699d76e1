import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { type ClientBase } from 'pg'
import { ask, sendsParameters } from './pg-driver.ts'

const names = new Map<string, { name: string }>()
let generation = 0
/**
 * Only the first texts are prepared, because texts with lists have as many shapes as lists have
 * lengths. Each connection keeps prepared statements for its lifetime.
 */
const maxPreparedTexts = 500

function nameOf(text: string): { name?: string } {
  const existing = names.get(text)
  if (existing || names.size >= maxPreparedTexts) return existing ?? {}
  const created = { name: `unit_${generation}_${names.size}` }
  names.set(text, created)
  return created
}

/**
 * Renames all prepared statements after a newer build added a column, so that each connection plans
 * them again. Returns false for any other error.
 */
export function discardStalePlans(error: unknown): boolean {
  if (!(error instanceof Error) || !error.message.includes('cached plan must not change'))
    return false
  names.clear()
  generation++
  return true
}

/**
 * Lets MikroORM flush on the connection of a unit, inside the transaction that the unit began.
 * Begin, scope and idempotency share one round trip; bookkeeping and commit share another.
 * MikroORM's own begin and commit would add three round trips (measured: 5.4 durable inserts
 * instead of 3.5 per mutation).
 */
export function createUnitKysely(client: ClientBase): Kysely<unknown> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const name = sendsParameters(client) ? nameOf(sql) : {}
      const result = await ask(client, { ...name, text: sql, values: [...parameters] })
      // Kysely wants the row type that its caller declared; the driver cannot know more.
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
    },
    streamQuery() {
      throw new TypeError('a unit does not stream')
    },
  }
  class ClientDriver extends DummyDriver {
    override acquireConnection(): Promise<DatabaseConnection> {
      return Promise.resolve(connection)
    }
  }
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ClientDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
