import { Fault } from './fault.ts'
import { messageOf } from './message.ts'

/**
 * A place in the change log. Ids are drawn when a row is written and become visible when it
 * commits, so their order alone is not the order of the log; the transaction id goes first.
 */
export interface Position {
  readonly xid: bigint
  readonly id: bigint
}

// PostgreSQL's bigint is signed.
const highestId = 2n ** 63n - 1n

const shape = /^([0-9a-f]{1,16})\.([0-9a-f]{1,16})$/

/** The opaque text that a client keeps and sends back as `after`. */
export function cursorFromPosition({ xid, id }: Position): string {
  return `${xid.toString(16)}.${id.toString(16)}`
}

/** The place that a client's cursor names; refuses anything that this server never gave out. */
export function parseCursor(text: string): Position {
  const [, xid, id] = shape.exec(text) ?? []
  const place =
    xid !== undefined && id !== undefined
      ? { xid: BigInt(`0x${xid}`), id: BigInt(`0x${id}`) }
      : null
  if (place && place.id <= highestId) return place
  const fields = [{ path: 'after', message: messageOf('field.not_cursor') }]
  throw new Fault('invalid_input', messageOf('request.unknown_cursor'), { fields })
}

/** Whether `a` stands after `b` in the log. */
export function isAfter(a: Position, b: Position): boolean {
  return a.xid === b.xid ? a.id > b.id : a.xid > b.xid
}
