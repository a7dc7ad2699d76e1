import { Fault } from './fault.ts'

/** What a caller asks of a list: how many, after which row. */
export interface PageRequest {
  first: number
  after: string | null
}

export interface Page<T> {
  nodes: T[]
  /** The cursor of the node at an index; made only when somebody asks. */
  cursor: (index: number) => string
  hasNextPage: boolean
}

export const defaultPageSize = 50

/** The size to use: a wish above the cap is capped, not refused; less than one is refused. */
export function pageRequest(
  first: number | null | undefined,
  after: string | null | undefined,
  cap: number,
): PageRequest {
  const size = first ?? defaultPageSize
  if (!Number.isInteger(size) || size < 1) {
    throw new Fault('invalid_input', 'Ask for at least one row.', {
      fields: [{ path: 'first', message: 'must be 1 or more' }],
    })
  }
  return { first: Math.min(size, cap), after: after ?? null }
}

/** An opaque cursor: the sort values of a row, the last of which is unique. */
export function encodeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

export function decodeCursor(cursor: string, length: number): unknown[] {
  const values = parsed(cursor)
  if (Array.isArray(values) && values.length === length) return values
  throw new Fault('invalid_input', 'This cursor is not from this list; start again without it.', {
    fields: [{ path: 'after', message: 'not a cursor of this list' }],
  })
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}
