import { Fault } from './fault.ts'
import { messageOf } from './message.ts'

/**
 * A position in the change log. The transaction id goes first: ids are drawn when a row is written
 * but become visible when it commits.
 */
export interface Position {
  readonly xid: bigint
  readonly id: bigint
}

// PostgreSQL's bigint is signed.
const highestId = 2n ** 63n - 1n

const shape = /^([0-9a-f]{1,16})\.([0-9a-f]{1,16})$/

/** Returns the opaque text that a client stores and sends back as `after`. */
export function cursorFromPosition({ xid, id }: Position): string {
  return `${xid.toString(16)}.${id.toString(16)}`
}

/** Parses a client's cursor. Refuses a text of another form. */
export function parseCursor(text: string): Position {
  const [, xid, id] = shape.exec(text) ?? []
  const position =
    xid !== undefined && id !== undefined
      ? { xid: BigInt(`0x${xid}`), id: BigInt(`0x${id}`) }
      : null
  if (position && position.id <= highestId) return position
  const fields = [{ path: 'after', message: messageOf('field.not_cursor') }]
  throw new Fault('invalid_input', messageOf('request.unknown_cursor'), { fields })
}

/** True when `a` comes after `b` in the log. */
export function isAfter(a: Position, b: Position): boolean {
  return a.xid === b.xid ? a.id > b.id : a.xid > b.xid
}
