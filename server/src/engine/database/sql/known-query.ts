import { createRequire } from 'node:module'
import pg, { type Connection, type QueryConfig } from 'pg'
import { serialize } from 'pg-protocol'
import { type Scope } from '../../model/scope.ts'
import { type Line } from '../gather-writes.ts'
import { type RowMaker, rowMaker } from './row-maker.ts'

/**
 * Row level security needs the tenant set before a read, which costs a transaction of four round
 * trips the usual way. The extended protocol runs everything up to one Sync as a single implicit
 * transaction, so the tenant setting and the read travel together: one round trip, prepared both,
 * and the setting ends with the statement. Should the setting ever be missing, the walls show
 * nothing.
 */
export const scopeStatement = {
  name: 'berth_scope',
  text: `select set_config('berth.tenant', $1, true), set_config('berth.scope', $2, true)`,
}

export function scopeValues(scope: Scope): [tenant: string, scope: string] {
  return scope === 'platform' ? ['', 'platform'] : [scope.tenantId, '']
}

export interface ScopedConfig extends QueryConfig {
  scope: Scope
}

/** Without a scope it is asked in the one of its transaction. */
type KnownConfig = QueryConfig & Partial<ScopedConfig>

/** How rows of a statement are read; the same on every connection, so it is asked for once. */
interface RowShape {
  fields: readonly { name: string }[]
  _parsers: Parameters<RowMaker>[1]
  _prebuiltEmptyResultObject: unknown
}

interface KnownShape extends RowShape {
  make: RowMaker
}

/**
 * What pg's Query has and its published types leave out (pg is pinned to the version that this was
 * written against).
 */
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
const utils = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): unknown
}

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
  const opening = Buffer.concat([
    serialize.bind({ portal: '', statement: scopeStatement.name, values: scopeValues(scope) }),
    execute,
  ])
  openings.set(key, opening)
  return opening
}

/** How its rows look is asked for once, and not each time. */
class KnownQuery extends BaseQuery {
  readonly #scope: Scope | undefined
  #scopeDone: boolean
  #make: RowMaker | undefined

  constructor(
    config: KnownConfig,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super(config, callback)
    this.#scope = config.scope
    this.#scopeDone = config.scope === undefined
  }

  override prepare(connection: Connection): void {
    const shape = shapes.get(this.name)
    // Connection's published type lacks what it writes with.
    const line = connection as unknown as Line
    const opening = this.#scope ? [openingOf(this.#scope)] : []
    if (!shape || !this.hasBeenParsed(connection)) {
      for (const message of opening) line._send(message)
      super.prepare(connection)
      return
    }
    // Known on this connection: nothing to parse, and how its rows look is known as well. All of it
    // is one write.
    const { make, ...known } = shape
    Object.assign(this._result, known)
    this.#make = make
    const read = serialize.bind({
      portal: '',
      statement: this.name,
      values: this.values,
      valueMapper: utils.prepareValue,
    })
    line._send(Buffer.concat([...opening, read, executeAndSync]))
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#make = rowMaker(fields.map(({ name }) => name))
    if (this.name)
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

/** For `client.query`, of a statement that is asked again and again. */
export const knownQuery = (
  config: KnownConfig,
  callback: (error: Error | null, result: pg.QueryResult) => void,
): pg.Submittable =>
  // Client.query takes any Submittable; ours is one by inheritance from pg.Query.
  new KnownQuery(config, callback) as unknown as pg.Submittable

export const askKnown = (client: pg.ClientBase, config: KnownConfig): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) =>
    client.query(knownQuery(config, (error, result) => (error ? reject(error) : resolve(result)))),
  )
