import { type Reader } from './reader.ts'
import { type Statement } from './statement.ts'

const beforeAll = '00000000-0000-0000-0000-000000000000'

export interface KeyPage<Key> {
  keys: Key[]
  after: string | null
}

interface Paging<Row, Key> {
  /** Rows in the order of their ids, from behind the slot `after`, and at most `size` of them. */
  statement: Statement<Row>
  size: number
  keyOf: (row: Row) => Key
}

/** For whoever must look at every row of a table: one page of it after another. */
export async function keyPage<Row extends { id: string }, Key>(
  reader: Reader,
  after: string | null,
  { statement, size, keyOf }: Paging<Row, Key>,
): Promise<KeyPage<Key>> {
  const rows = await reader.all(statement, { after: after ?? beforeAll })
  return { keys: rows.map(keyOf), after: rows.length < size ? null : (rows.at(-1)?.id ?? null) }
}
