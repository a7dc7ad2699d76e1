import { type Duplex } from 'node:stream'
import { type RawData, type WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { TokenBucket } from '../../runtime/token-bucket.ts'
import { type SocketLimits } from './socket-limits.ts'

/**
 * Close codes and reasons of a socket. The reasons are constant, so they reveal nothing internal.
 */
export const socketCloseReasons = {
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

type SocketCloseReason = (typeof socketCloseReasons)[keyof typeof socketCloseReasons]

/** A sender that waits until the connection accepts more. */
export interface DrainWaiter {
  onDrain(): void
}

interface WireParts {
  socket: WebSocket
  stream: Duplex
  limits: SocketLimits
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
}

/**
 * One WebSocket connection with its limits: how fast it may send, and how many bytes may wait for
 * it.
 */
export class Wire {
  readonly #parts: WireParts
  readonly #allowance: TokenBucket
  readonly #waiting = new Set<DrainWaiter>()
  #held = 0
  #isAlive = true
  /** The number of messages whose answers are not complete. */
  running = 0

  constructor(parts: WireParts) {
    this.#parts = parts
    this.#allowance = new TokenBucket(
      { burst: parts.limits.messageBurst, perSecond: parts.limits.messagesPerSecond },
      parts.clock,
    )
    const { socket, stream } = parts
    stream.on('drain', () => this.#drained())
    socket.on('pong', () => (this.#isAlive = true))
    socket.on('ping', () => this.#admit())
    // An error also closes the connection, and only the close is handled.
    socket.on('error', () => undefined)
  }

  get protocol(): string {
    return this.#parts.socket.protocol
  }

  get open(): boolean {
    return this.#parts.socket.readyState === 1
  }

  /** True while the network accepts no more. */
  get blocked(): boolean {
    return this.#parts.stream.writableNeedDrain
  }

  onText(handle: (text: string) => Promise<void>): void {
    this.#parts.socket.on('message', (message, isBinary) => {
      if (!this.#admit()) return
      if (isBinary) return this.close(socketCloseReasons.notText)
      this.running += 1
      void handle(textOf(message))
        .catch(() => this.close(socketCloseReasons.internal))
        .finally(() => (this.running -= 1))
    })
  }

  onClosed(onClose: (code: number, reason: string) => void): void {
    this.#parts.socket.once('close', (code, reason) => onClose(code, reason.toString('utf8')))
  }

  /**
   * Resolves when the network has accepted the text. Callers that wait for it keep their own
   * backlog.
   */
  send(text: string): Promise<void> {
    if (!this.#mayTakeMore()) return Promise.resolve()
    return new Promise((resolve) => this.#parts.socket.send(text, () => resolve()))
  }

  /** Sends without waiting, for callers that check `blocked` instead. */
  post(text: string): void {
    if (this.#mayTakeMore()) this.#parts.socket.send(text)
  }

  /** Adds bytes that a caller holds back for this connection to the limit, or subtracts them. */
  reserve(bytes: number): void {
    this.#held += bytes
    if (bytes > 0) this.#mayTakeMore()
  }

  awaitDrain(waiting: DrainWaiter): void {
    this.#waiting.add(waiting)
  }

  cancelDrain(waiting: DrainWaiter): void {
    this.#waiting.delete(waiting)
  }

  close([code, reason]: SocketCloseReason | readonly [code: number, reason: string]): void {
    if (!this.open) return
    const { socket, clock, limits } = this.#parts
    const closed = new AbortController()
    socket.once('close', () => closed.abort())
    socket.close(code, reason)
    // A peer that does not read does not get the close frame either. Terminating frees the bytes
    // that wait for it.
    void clock.sleep(limits.closeMs, closed.signal).then(() => socket.terminate())
  }

  /** Sends a ping. Terminates a peer that sent nothing since the last ping. */
  ping(): void {
    if (!this.#isAlive) return this.#parts.socket.terminate()
    this.#isAlive = false
    if (this.open) this.#parts.socket.ping()
  }

  #admit(): boolean {
    this.#isAlive = true
    if (!this.open) return false
    if (this.#allowance.take()) return true
    this.close(socketCloseReasons.tooMany)
    return false
  }

  #mayTakeMore(): boolean {
    if (!this.open) return false
    const { socket, limits } = this.#parts
    if (socket.bufferedAmount + this.#held <= limits.bufferedBytes) return true
    this.close(socketCloseReasons.tooSlow)
    return false
  }

  #drained(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const each of waiting) each.onDrain()
  }
}

function textOf(message: RawData): string {
  if (Array.isArray(message)) return Buffer.concat(message).toString('utf8')
  return Buffer.isBuffer(message) ? message.toString('utf8') : Buffer.from(message).toString('utf8')
}
