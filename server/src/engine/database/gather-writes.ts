import { type Writable } from 'node:stream'
import type pg from 'pg'

/** What pg's connection writes with. */
export interface Line {
  readonly stream: Writable
  _send(message: Buffer): boolean
}

/**
 * What is asked of a connection in one go travels in one packet: pg writes each question by itself,
 * and a write, with the process that it wakes, costs more than most questions. So they wait until
 * everybody who can run now has run, which is before anything new is heard.
 */
export function gatherWrites(client: pg.ClientBase): void {
  // What pg's client has and its published type leaves out (pg is pinned to the version that this
  // was written against).
  const { connection: line } = client as unknown as { connection: Line }
  const { stream } = line
  const send = line._send.bind(line)
  let isGathering = false
  const letGo = (): void => {
    isGathering = false
    stream.uncork()
  }
  line._send = (message) => {
    if (!isGathering) {
      isGathering = true
      stream.cork()
      process.nextTick(letGo)
    }
    return send(message)
  }
}
