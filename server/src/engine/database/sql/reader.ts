import type pg from 'pg'
import { type Scope } from '../../model/scope.ts'
import { ask } from '../pg-driver.ts'
import { scopedQuery } from './scoped-query.ts'
import { rowTypes } from './row-types.ts'
import { type Statement } from './statement.ts'

/** Runs reads: on the pool under a scope, or inside the transaction of a unit. */
export interface Reader {
  /** The tenant whose rows are read; null when the read is not limited to one tenant. */
  readonly tenantId: string | null
  all<Row>(statement: Statement<Row>, args: Readonly<Record<string, unknown>>): Promise<Row[]>
}

export function poolReader(pool: pg.Pool, scope: Scope): Reader {
  return {
    tenantId: scope === 'platform' ? null : scope.tenantId,
    all: (statement, args) =>
      scopedQuery(pool, {
        name: statement.name,
        text: statement.text,
        values: statement.bind(args),
        types: rowTypes,
        scope,
      }),
  }
}

export function clientReader(client: pg.ClientBase): Reader {
  return {
    tenantId: null,
    async all<Row>(statement: Statement<Row>, args: Readonly<Record<string, unknown>>) {
      const result = await ask(client, {
        name: statement.name,
        text: statement.text,
        values: statement.bind(args),
        types: rowTypes,
      })
      // The row type was inferred from the query that runs here.
      return result.rows as Row[]
    },
  }
}

export async function one<Row>(
  reader: Reader,
  statement: Statement<Row>,
  args: Readonly<Record<string, unknown>>,
): Promise<Row | null> {
  const [row] = await reader.all(statement, args)
  return row ?? null
}

/**
 * Returns the single row of a statement that always returns one, such as an insert with
 * `returning`.
 */
export async function only<Row>(
  reader: Reader,
  statement: Statement<Row>,
  args: Readonly<Record<string, unknown>>,
): Promise<Row> {
  const row = await one(reader, statement, args)
  if (row === null) throw new TypeError(`${statement.name} returned no row`)
  return row
}
