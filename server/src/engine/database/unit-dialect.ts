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
import { askKnown } from './sql/known-query.ts'

const names = new Map<string, { name: string }>()
let generation = 0
/**
 * Of texts that have as many shapes as lists have lengths, the first are prepared: each connection
 * keeps them for its life.
 */
const mostNames = 500

function nameOf(text: string): { name?: string } {
  const known = names.get(text)
  if (known || names.size >= mostNames) return known ?? {}
  const made = { name: `unit_${generation}_${names.size}` }
  names.set(text, made)
  return made
}

/**
 * A newer build has added a column while this one runs: under other names everything is planned
 * anew, on every connection.
 */
export function forgetsStalePlans(error: unknown): boolean {
  if (!(error instanceof Error) || !error.message.includes('cached plan must not change'))
    return false
  names.clear()
  generation++
  return true
}

/**
 * Lets MikroORM flush on the very connection of a unit, inside the transaction that the unit has
 * begun. Begin, scope and idempotency travel in one round trip, bookkeeping and commit in another;
 * MikroORM's own begin and commit would take three more (measured: 5.4 durable inserts instead of
 * 3.5 for a mutation).
 */
export function kyselyOn(client: ClientBase): Kysely<unknown> {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const result = await askKnown(client, { ...nameOf(sql), text: sql, values: [...parameters] })
      // Kysely asks for the row type that its caller declared; the driver cannot know more.
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
