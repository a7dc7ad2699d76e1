import type pg from 'pg'
import { type Scope } from '../../model/scope.ts'
import { askKnown } from './known-query.ts'
import { scopedQuery } from './scoped-query.ts'
import { rowTypes } from './row-types.ts'
import { type Statement } from './statement.ts'

/** Where reads run: on the pool under a scope, or inside the transaction of a unit. */
export interface Reader {
  /** Whose rows are asked for; null where that is not one tenant's. */
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
      const result = await askKnown(client, {
        name: statement.name,
        text: statement.text,
        values: statement.bind(args),
        types: rowTypes,
      })
      // The statement's row type was inferred from the very query that is run here.
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

/** For statements that always bring a row, such as an insert that returns what it made. */
export async function only<Row>(
  reader: Reader,
  statement: Statement<Row>,
  args: Readonly<Record<string, unknown>>,
): Promise<Row> {
  const row = await one(reader, statement, args)
  if (row === null) throw new TypeError(`${statement.name} brought no row`)
  return row
}
