import { type WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { Carriage, type ConsoleLine } from './console-pipe.ts'

/** Close codes and reasons of a console, written for users. */
export const consoleClosing = {
  goingAway: [1001, 'The server restarts; open the console again.'],
  internal: [1011, 'Internal error; open the console again.'],
  tryLater: [1013, 'The platform does not answer at the moment; try again later.'],
  unauthorized: [4401, 'The ticket was used or has expired; request a new one.'],
  forbidden: [4403, 'You no longer have permission to open this console.'],
  gone: [4404, 'The VM no longer exists.'],
  idle: [4408, 'The console was idle for too long.'],
  taken: [4409, 'Another session opened this console.'],
  stopped: [4410, 'The VM is not running.'],
  moved: [4411, 'The VM moved or restarts; open the console again.'],
  lost: [4412, 'The connection to the VM was lost; open the console again.'],
  tooMany: [4429, 'Too many consoles are open.'],
} as const

export type ConsoleClosing = keyof typeof consoleClosing

export interface Visit {
  userId: string
  tenantId: string
  /** The console that only one session can use at a time. */
  seat: string
  open(): Promise<ConsoleLine | ConsoleClosing>
  standing(): Promise<'good' | 'ended' | 'changed'>
  /** Finds out why the guest's stream ended when this server did not close it. */
  whyEnded(): Promise<ConsoleClosing>
  leave(): Promise<void>
}

interface ConsoleSessionParts {
  socket: WebSocket
  visit: Visit
  limits: { idleMs: number; closeMs: number }
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
}

/** One open console: the client's socket, the guest's stream, and the end of both. */
export class ConsoleVisitor {
  readonly visit: Visit
  readonly #parts: ConsoleSessionParts
  #guest: ConsoleLine | null = null
  #pipe: Carriage | null = null
  #isAlive = true
  #activeAtMs: number

  constructor(parts: ConsoleSessionParts) {
    this.#parts = parts
    this.visit = parts.visit
    this.#activeAtMs = parts.clock.elapsedMs()
    const { socket } = parts
    socket.on('pong', () => (this.#isAlive = true))
    socket.once('close', () => this.#guest?.close())
  }

  get #isOpen(): boolean {
    return this.#parts.socket.readyState === this.#parts.socket.OPEN
  }

  /** Runs until the session ends. `onOwned` is called when the session owns the console. */
  async run(onOwned: () => void): Promise<void> {
    const { socket, visit: access } = this.#parts
    const guest = await access.open()
    if (typeof guest === 'string') return this.end(guest)
    try {
      onOwned()
      await this.#pipeBytes(guest)
      if (this.#isOpen) this.end(await access.whyEnded())
    } finally {
      guest.close()
      await access.leave()
      socket.resume()
    }
  }

  end(why: ConsoleClosing): void {
    const { socket, limits, clock } = this.#parts
    closeSocket(socket, why, { clock, closeMs: limits.closeMs })
    this.#guest?.close()
  }

  /**
   * Sends a ping. Skipped while the socket is paused for backpressure, because its pong would not
   * be read.
   */
  ping(): void {
    const { socket, clock, limits } = this.#parts
    if (clock.elapsedMs() - this.#activeAtMs > limits.idleMs) return this.end('idle')
    if (this.#pipe?.isHeldBack) return
    if (!this.#isAlive) return socket.terminate()
    this.#isAlive = false
    if (this.#isOpen) socket.ping()
  }

  async #pipeBytes(guest: ConsoleLine): Promise<void> {
    const { socket, clock } = this.#parts
    if (!this.#isOpen) return
    this.#guest = guest
    this.#pipe = new Carriage({
      socket,
      line: guest,
      heard: () => (this.#activeAtMs = clock.elapsedMs()),
    })
    socket.resume()
    await this.#pipe.run()
  }
}

interface CloseOptions {
  clock: Pick<Clock, 'sleep'>
  closeMs: number
}

export function closeSocket(
  socket: WebSocket,
  why: ConsoleClosing,
  { clock, closeMs }: CloseOptions,
): void {
  if (socket.readyState !== socket.OPEN) return
  const closed = new AbortController()
  socket.once('close', () => closed.abort())
  const [code, reason] = consoleClosing[why]
  socket.close(code, reason)
  // A paused socket would not read the close frame of the client.
  socket.resume()
  void clock.sleep(closeMs, closed.signal).then(() => socket.terminate())
}
