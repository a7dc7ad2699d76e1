import { Fault } from '../model/fault.ts'
import { type TextStream } from '../http/reply.ts'
import { recheckAll } from './credential-check.ts'
import {
  type HeartbeatParts,
  type OpenSession,
  type SocketHeartbeat,
  startHeartbeat,
} from './heartbeat.ts'
import { type Caller } from './session.ts'

interface WatchOptions {
  caller: Pick<Caller, 'checkCredential' | 'userId'>
  /** Sent with each ping, so that no proxy considers a quiet connection dead. */
  keepAlive: string
  /** When the stream ends at the latest. Absent when it may stay open. */
  longestMs?: number
  /** Called once, when the stream has ended. */
  onClosed?: () => void
}

export interface WatchedStreams extends SocketHeartbeat {
  /** Returns the same stream, which also ends when the caller loses its permission. */
  watch(inner: TextStream, options: WatchOptions): TextStream
}

/** Watches the streams of plain HTTP answers in the same way as sockets. */
export function watchStreams(parts: HeartbeatParts): WatchedStreams {
  const sessions = new Set<OpenSession>()
  return {
    ...startHeartbeat(sessions, parts, () => undefined),
    watch(inner, { caller, keepAlive, longestMs, onClosed }) {
      const wire = new WatchedStream(inner, keepAlive)
      const session = { wire, caller }
      sessions.add(session)
      const closed = new AbortController()
      wire.onClosed(() => {
        sessions.delete(session)
        closed.abort()
        onClosed?.()
      })
      if (longestMs !== undefined)
        void parts.clock.sleep(longestMs, closed.signal).then(() => wire.close())
      // The permission may have been revoked while the stream was being opened.
      void recheckAll([session], parts.log)
      return wire
    },
  }
}

/** A stream with the controls of a socket. It also ends when a read is refused. */
class WatchedStream implements TextStream {
  readonly #inner: TextStream
  readonly #keepAlive: string
  readonly #closeListeners: (() => void)[] = []
  #reading: Promise<{ text: string | null }> | null = null
  /** Answers a reader that waits for the inner stream. */
  #answerReader: (text: string | null) => void = () => undefined
  open = true

  constructor(inner: TextStream, keepAlive: string) {
    this.#inner = inner
    this.#keepAlive = keepAlive
  }

  async next(): Promise<string | null> {
    if (!this.open) return null
    const interrupted = Promise.withResolvers<string | null>()
    this.#answerReader = interrupted.resolve
    this.#reading ??= this.#inner.next().then((text) => ({ text }), endOfRefused)
    const outcome = await Promise.race([this.#reading, interrupted.promise])
    if (outcome === null || typeof outcome === 'string') return outcome
    this.#reading = null
    return this.open ? outcome.text : null
  }

  onClosed(listener: () => void): void {
    this.#closeListeners.push(listener)
  }

  ping(): void {
    if (this.#keepAlive !== '') this.#answerReader(this.#keepAlive)
  }

  close(): void {
    if (!this.open) return
    this.open = false
    this.#inner.close()
    this.#answerReader(null)
    for (const listener of this.#closeListeners) listener()
  }
}

function endOfRefused(error: unknown): { text: null } {
  if (error instanceof Fault) return { text: null }
  throw error
}
