import { type Duplex } from 'node:stream'
import { type RawData, type WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { Allowance } from '../../runtime/allowance.ts'
import { type SocketLimits } from './socket-limits.ts'

/** Why a socket is closed; the reasons are constant, so they tell nothing about what is behind. */
export const closing = {
  goingAway: [1001, 'Going away'],
  notText: [1003, 'Text only'],
  internal: [1011, 'Internal error'],
  tryLater: [1013, 'Try again later'],
  badMessage: [4400, 'Bad message'],
  unauthorized: [4401, 'Unauthorized'],
  forbidden: [4403, 'Forbidden'],
  tooSlow: [4413, 'Reading too slowly'],
  tooMany: [4429, 'Too many'],
} as const

type Closing = (typeof closing)[keyof typeof closing]

/** Who waits until the connection takes more. */
export interface Waiting {
  flush(): void
}

interface WireParts {
  socket: WebSocket
  stream: Duplex
  limits: SocketLimits
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
}

/** One connection with its bounds: how fast it may talk to us, and how much may wait for it. */
export class Wire {
  readonly #parts: WireParts
  readonly #allowance: Allowance
  readonly #waiting = new Set<Waiting>()
  #held = 0
  #heard = true
  /** Messages whose answers are not complete. */
  running = 0

  constructor(parts: WireParts) {
    this.#parts = parts
    this.#allowance = new Allowance(
      { burst: parts.limits.messageBurst, perSecond: parts.limits.messagesPerSecond },
      parts.clock,
    )
    const { socket, stream } = parts
    stream.on('drain', () => this.#drained())
    socket.on('pong', () => (this.#heard = true))
    socket.on('ping', () => this.#admit())
    // Whatever breaks a connection closes it too, and the close is what counts.
    socket.on('error', () => undefined)
  }

  get protocol(): string {
    return this.#parts.socket.protocol
  }

  get open(): boolean {
    return this.#parts.socket.readyState === 1
  }

  /** Whether the network takes no more for now. */
  get blocked(): boolean {
    return this.#parts.stream.writableNeedDrain
  }

  onText(hear: (text: string) => Promise<void>): void {
    this.#parts.socket.on('message', (message, isBinary) => {
      if (!this.#admit()) return
      if (isBinary) return this.close(closing.notText)
      this.running += 1
      void hear(textOf(message))
        .catch(() => this.close(closing.internal))
        .finally(() => (this.running -= 1))
    })
  }

  onClosed(tell: (code: number, reason: string) => void): void {
    this.#parts.socket.once('close', (code, reason) => tell(code, reason.toString('utf8')))
  }

  /**
   * Resolves when the network has taken it: whoever waits for that keeps its backlog with itself.
   */
  send(text: string): Promise<void> {
    if (!this.#mayTakeMore()) return Promise.resolve()
    return new Promise((resolve) => this.#parts.socket.send(text, () => resolve()))
  }

  /** For those who look at `blocked` instead of waiting. */
  post(text: string): void {
    if (this.#mayTakeMore()) this.#parts.socket.send(text)
  }

  /** Somebody keeps this much for later, or less again. */
  hold(bytes: number): void {
    this.#held += bytes
    if (bytes > 0) this.#mayTakeMore()
  }

  awaitDrain(waiting: Waiting): void {
    this.#waiting.add(waiting)
  }

  forget(waiting: Waiting): void {
    this.#waiting.delete(waiting)
  }

  close([code, reason]: Closing | readonly [code: number, reason: string]): void {
    if (!this.open) return
    const { socket, clock, limits } = this.#parts
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    socket.close(code, reason)
    // A peer that does not read hears no goodbye either; what waits for it is freed all the same.
    void clock.sleep(limits.closeMs, gone.signal).then(() => socket.terminate())
  }

  /** Asks the peer for a sign of life; one that gave none since the last time is cut off. */
  ping(): void {
    if (!this.#heard) return this.#parts.socket.terminate()
    this.#heard = false
    if (this.open) this.#parts.socket.ping()
  }

  #admit(): boolean {
    this.#heard = true
    if (!this.open) return false
    if (this.#allowance.take()) return true
    this.close(closing.tooMany)
    return false
  }

  #mayTakeMore(): boolean {
    if (!this.open) return false
    const { socket, limits } = this.#parts
    if (socket.bufferedAmount + this.#held <= limits.bufferedBytes) return true
    this.close(closing.tooSlow)
    return false
  }

  #drained(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const each of waiting) each.flush()
  }
}

function textOf(message: RawData): string {
  if (Array.isArray(message)) return Buffer.concat(message).toString('utf8')
  return Buffer.isBuffer(message) ? message.toString('utf8') : Buffer.from(message).toString('utf8')
}
