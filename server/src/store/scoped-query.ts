import { createRequire } from 'node:module'
import pg, { type Connection, type QueryConfig } from 'pg'
import { serialize } from 'pg-protocol'
import { type Scope } from '../domain/scope.ts'
import { faultFromDatabase } from './database-fault.ts'
import { type RowMaker, rowMaker } from './row-maker.ts'

/**
 * Row level security needs the tenant set before a read, which costs a transaction of four round trips the usual way.
 * The extended protocol runs everything up to one Sync as a single implicit transaction, so the tenant setting and the
 * read travel together: one round trip, prepared both, and the setting ends with the statement. Should the setting ever
 * be missing, the walls show nothing.
 */
export const scopeStatement = {
  name: 'berth_scope',
  text: `select set_config('berth.tenant', $1, true), set_config('berth.scope', $2, true)`,
}

export function scopeValues(scope: Scope): [tenant: string, scope: string] {
  return scope === 'platform' ? ['', 'platform'] : [scope.tenantId, '']
}

interface ScopedConfig extends QueryConfig {
  scope: Scope
}

/** How rows of a statement are read; the same on every connection, so it is asked for once. */
interface RowShape {
  fields: readonly { name: string }[]
  _parsers: Parameters<RowMaker>[1]
  _prebuiltEmptyResultObject: unknown
}

interface KnownShape extends RowShape {
  make: RowMaker
}

/** What pg's Query has and its published types leave out (pg is pinned to the version that this was written against). */
interface QueryInternals {
  name: string
  values: unknown[]
  _result: RowShape & { rows: unknown[] }
  _canceledDueToError: unknown
  hasBeenParsed(connection: Connection): boolean
  handleRowDescription(message: unknown): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(message: unknown, connection: Connection): void
  prepare(connection: Connection): void
}

// pg's types declare Query without its protocol methods; pg.Query at run time has them all.
const BaseQuery = pg.Query as unknown as new (
  config: QueryConfig,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => QueryInternals

// pg's own conversion of values to the wire; the package exports the file, but nobody has typed it.
const utils = createRequire(import.meta.url)('pg/lib/utils.js') as { prepareValue(value: unknown): unknown }

const shapes = new Map<string, KnownShape>()
const execute = serialize.execute({ portal: '' })
const executeAndSync = Buffer.concat([execute, serialize.sync()])

const openings = new Map<string, Buffer>()
const mostOpenings = 1_000

/** What sets the scope, as it goes over the wire: the same for all reads of a tenant. */
function openingOf(scope: Scope): Buffer {
  const key = scope === 'platform' ? scope : scope.tenantId
  const known = openings.get(key)
  if (known) return known
  if (openings.size >= mostOpenings) openings.clear()
  const opening = Buffer.concat([serialize.bind({ portal: '', statement: scopeStatement.name, values: scopeValues(scope) }), execute])
  openings.set(key, opening)
  return opening
}

class ScopedQuery extends BaseQuery {
  readonly #scope: Scope
  #scopeDone = false
  #make: RowMaker | undefined

  constructor(config: ScopedConfig, callback: (error: Error | null, result: pg.QueryResult) => void) {
    super(config, callback)
    this.#scope = config.scope
  }

  override prepare(connection: Connection): void {
    const shape = shapes.get(this.name)
    // Connection's published type lacks its stream.
    const { stream } = connection as unknown as { stream: NodeJS.WritableStream }
    const opening = openingOf(this.#scope)
    if (!shape || !this.hasBeenParsed(connection)) {
      stream.write(opening)
      super.prepare(connection)
      return
    }
    // Known on this connection: nothing to parse, and how its rows look is known as well. All of it is one write.
    const { make, ...known } = shape
    Object.assign(this._result, known)
    this.#make = make
    const read = serialize.bind({ portal: '', statement: this.name, values: this.values, valueMapper: utils.prepareValue })
    stream.write(Buffer.concat([opening, read, executeAndSync]))
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#make = rowMaker(fields.map(({ name }) => name))
    shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject, make: this.#make })
  }

  override handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (!this.#scopeDone || !this.#make || this._canceledDueToError) return
    try {
      this._result.rows.push(this.#make(fields, this._result._parsers))
    } catch (error) {
      // Thrown from here it would end the process; pg tells whoever asked.
      this._canceledDueToError = error
    }
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#scopeDone) super.handleCommandComplete(message, connection)
    this.#scopeDone = true
  }
}

// The statement that is run carries the row type; pg types every row as a record of anything.
const rowsOf = <Row>(result: pg.QueryResult): Row[] => result.rows as Row[]

/** Prepares the scope statement on a fresh connection; every ScopedQuery relies on it being there. */
export async function prepareScope(client: pg.ClientBase): Promise<void> {
  await client.query({ ...scopeStatement, values: scopeValues({ tenantId: '' }) })
}

/** One statement under a scope, in one round trip and as one promise; what the database cannot do now is told as a refusal. */
export function scopedQuery<Row>(pool: pg.Pool, config: ScopedConfig): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
  pool.connect((lost, client, release) => {
    if (!client) return reject(faultFromDatabase(lost))
    const settle = (error: unknown, result?: pg.QueryResult): void => {
      release(keepsConnection(error) ? undefined : new TypeError('connection lost', { cause: error }))
      if (result) resolve(rowsOf<Row>(result))
      else reject(faultFromDatabase(error))
    }
    try {
      const query = new ScopedQuery(config, (error, result) => (error ? settle(error) : settle(null, result)))
      // Client.query takes any Submittable; ours is one by inheritance from pg.Query.
      client.query(query as unknown as pg.Submittable)
    } catch (error) {
      settle(error)
    }
  })
  return promise
}

/** What ends a session is told in an answer too; its connection must not be handed to the next caller while it closes. */
const keepsConnection = (error: unknown): boolean => error === null || (error instanceof pg.DatabaseError && error.severity !== 'FATAL')
