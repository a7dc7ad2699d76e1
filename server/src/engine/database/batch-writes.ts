import { type Writable } from 'node:stream'
import type pg from 'pg'

/** The part of pg's connection that writes. */
export interface MessageWriter {
  readonly stream: Writable
  _send(message: Buffer): boolean
}

/**
 * Sends the queries of one turn in one packet. pg writes each message by itself, and a write, with
 * the process it wakes, costs more than most queries. Messages wait for the next tick, before new
 * input is read.
 */
export function batchWrites(client: pg.ClientBase): void {
  // pg's published type lacks `connection`. The pinned pg version has it.
  const { connection } = client as unknown as { connection: MessageWriter }
  const { stream } = connection
  const send = connection._send.bind(connection)
  let isCorked = false
  const flush = (): void => {
    isCorked = false
    stream.uncork()
  }
  connection._send = (message) => {
    if (!isCorked) {
      isCorked = true
      stream.cork()
      process.nextTick(flush)
    }
    return send(message)
  }
}
