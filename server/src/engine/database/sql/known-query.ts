import { createRequire } from 'node:module'
import pg, { type Connection, type QueryConfig } from 'pg'
import { serialize } from 'pg-protocol'
import { type Scope } from '../../model/scope.ts'
import { type MessageWriter } from '../batch-writes.ts'
import { type RowMaker, rowMaker } from './row-maker.ts'

/**
 * Row level security needs the tenant setting before a read, which usually costs a transaction of
 * four round trips. The extended protocol runs all messages up to one Sync as an implicit
 * transaction. The setting and the read are therefore prepared statements in one round trip, and
 * the setting ends with the statement. If the setting were ever missing, row level security would
 * return no rows.
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

/** Without a scope the statement runs in the scope of its transaction. */
export type KnownConfig = QueryConfig & Partial<ScopedConfig>

/**
 * Describes how to read the rows of a statement. It is the same on every connection, so it is
 * requested once.
 */
interface RowShape {
  fields: readonly { name: string }[]
  _parsers: Parameters<RowMaker>[1]
  _prebuiltEmptyResultObject: unknown
}

interface KnownShape extends RowShape {
  make: RowMaker
}

/**
 * The members of pg's Query that its published types lack. pg is pinned to the version that has
 * them.
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

// pg's types declare Query without its protocol methods; `pg.Query` has them at run time.
const BaseQuery = pg.Query as unknown as new (
  config: QueryConfig,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => QueryInternals

// pg's own conversion of values to the wire format. The package exports the file, but there are no
// types for it.
const utils = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue(value: unknown): unknown
}

const shapes = new Map<string, KnownShape>()
const execute = serialize.execute({ portal: '' })
const executeAndSync = Buffer.concat([execute, serialize.sync()])

const scopeMessages = new Map<string, Buffer>()
const maxScopeMessages = 1_000

/** Returns the messages that set the scope. They are the same for all reads of a tenant. */
function scopeMessageOf(scope: Scope): Buffer {
  const key = scope === 'platform' ? scope : scope.tenantId
  const cached = scopeMessages.get(key)
  if (cached) return cached
  if (scopeMessages.size >= maxScopeMessages) scopeMessages.clear()
  const message = Buffer.concat([
    serialize.bind({ portal: '', statement: scopeStatement.name, values: scopeValues(scope) }),
    execute,
  ])
  scopeMessages.set(key, message)
  return message
}

/** A query whose row description is requested once per statement instead of once per query. */
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
    // The published type of Connection lacks its write method.
    const writer = connection as unknown as MessageWriter
    const scopeMessage = this.#scope ? [scopeMessageOf(this.#scope)] : []
    if (!shape || !this.hasBeenParsed(connection)) {
      for (const message of scopeMessage) writer._send(message)
      super.prepare(connection)
      return
    }
    // This connection has prepared the statement, and its row description is cached. All messages
    // are one write.
    const { make, ...cached } = shape
    Object.assign(this._result, cached)
    this.#make = make
    const read = serialize.bind({
      portal: '',
      statement: this.name,
      values: this.values,
      valueMapper: utils.prepareValue,
    })
    writer._send(Buffer.concat([...scopeMessage, read, executeAndSync]))
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
      // An error thrown here would end the process. pg passes it to the caller instead.
      this._canceledDueToError = error
    }
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#scopeDone) super.handleCommandComplete(message, connection)
    this.#scopeDone = true
  }
}

/** Returns a query for `client.query` that caches the row description of a repeated statement. */
export const knownQuery = (
  config: KnownConfig,
  callback: (error: Error | null, result: pg.QueryResult) => void,
): pg.Submittable =>
  // `client.query` takes any Submittable; KnownQuery inherits it from `pg.Query`.
  new KnownQuery(config, callback) as unknown as pg.Submittable
