import { Fault } from './fault.ts'
import { messageOf } from './message.ts'

/** The requested page of a list: the number of rows, and the row after which it begins. */
export interface PageRequest {
  first: number
  after: string | null
}

export interface Page<T> {
  nodes: T[]
  /**
   * Returns the cursor of the node at an index. Computed on demand, because few callers need it.
   */
  cursor: (index: number) => string
  hasNextPage: boolean
}

export const defaultPageSize = 50

/**
 * Returns the page size to use. A size above the cap is lowered to the cap; a size below one is
 * refused.
 */
export function pageRequest(
  first: number | null | undefined,
  after: string | null | undefined,
  cap: number,
): PageRequest {
  const size = first ?? defaultPageSize
  if (!Number.isInteger(size) || size < 1) {
    throw new Fault('invalid_input', messageOf('request.without_rows'), {
      fields: [{ path: 'first', message: messageOf('field.below_one') }],
    })
  }
  return { first: Math.min(size, cap), after: after ?? null }
}

/** Encodes the sort values of a row as an opaque cursor. The last value is unique. */
export function encodeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Decodes a cursor. `checks` has one test for each value and refuses a cursor of another list. */
export function decodeCursor(
  cursor: string,
  checks: readonly ((value: unknown) => boolean)[],
): unknown[] {
  const values: unknown = parsed(cursor)
  if (
    Array.isArray(values) &&
    values.length === checks.length &&
    checks.every((isValid, index) => isValid(values[index]))
  )
    return values
  throw new Fault('invalid_input', messageOf('request.foreign_cursor'), {
    fields: [{ path: 'after', message: messageOf('field.not_cursor_of_list') }],
  })
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}
