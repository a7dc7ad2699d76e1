import { type WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { ConsolePipe, type GuestStream } from './console-pipe.ts'

/** Close codes and reasons of a console, written for users. */
export const consoleCloseReasons = {
  goingAway: [1001, 'The server restarts; open the console again.'],
  internal: [1011, 'Internal error; open the console again.'],
  tryLater: [1013, 'The platform does not answer at the moment; try again later.'],
  unauthorized: [
    4401,
    'The ticket was used, has expired or is for another console; request a new one.',
  ],
  forbidden: [4403, 'You no longer have permission to open this console.'],
  gone: [4404, 'The VM no longer exists.'],
  idle: [4408, 'The console was idle for too long.'],
  taken: [4409, 'Another session opened this console.'],
  stopped: [4410, 'The VM is not running.'],
  moved: [4411, 'The VM moved or restarts; open the console again.'],
  lost: [4412, 'The connection to the VM was lost; open the console again.'],
  tooMany: [4429, 'Too many consoles are open.'],
} as const

export type ConsoleCloseReason = keyof typeof consoleCloseReasons

export interface ConsoleAccess {
  userId: string
  tenantId: string
  /** Names the console. Only its newest session stays open. */
  consoleKey: string
  open(): Promise<GuestStream | ConsoleCloseReason>
  checkCredential(): Promise<'good' | 'ended' | 'changed'>
  /** Returns why the guest's stream ended, when neither this server nor the client closed it. */
  endReason(): Promise<ConsoleCloseReason>
  release(): Promise<void>
}

interface ConsoleSessionParts {
  socket: WebSocket
  access: ConsoleAccess
  limits: { idleMs: number; closeMs: number }
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
}

/** One open console: the client's socket, the guest's stream, and the end of both. */
export class ConsoleSession {
  readonly access: ConsoleAccess
  readonly #parts: ConsoleSessionParts
  #guest: GuestStream | null = null
  #pipe: ConsolePipe | null = null
  #isAlive = true
  #activeAtMs: number

  constructor(parts: ConsoleSessionParts) {
    this.#parts = parts
    this.access = parts.access
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
    const { socket, access } = this.#parts
    const guest = await access.open()
    if (typeof guest === 'string') return this.end(guest)
    try {
      onOwned()
      await this.#pipeBytes(guest)
      if (this.#isOpen) this.end(await access.endReason())
    } finally {
      guest.close()
      await access.release()
      socket.resume()
    }
  }

  end(why: ConsoleCloseReason): void {
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
    if (this.#pipe?.isPaused) return
    if (!this.#isAlive) return socket.terminate()
    this.#isAlive = false
    if (this.#isOpen) socket.ping()
  }

  async #pipeBytes(guest: GuestStream): Promise<void> {
    const { socket, clock } = this.#parts
    if (!this.#isOpen) return
    this.#guest = guest
    this.#pipe = new ConsolePipe({
      socket,
      guest,
      onActivity: () => (this.#activeAtMs = clock.elapsedMs()),
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
  why: ConsoleCloseReason,
  { clock, closeMs }: CloseOptions,
): void {
  if (socket.readyState !== socket.OPEN) return
  const closed = new AbortController()
  socket.once('close', () => closed.abort())
  const [code, reason] = consoleCloseReasons[why]
  socket.close(code, reason)
  // A paused socket would not read the close frame of the client.
  socket.resume()
  void clock.sleep(closeMs, closed.signal).then(() => socket.terminate())
}
