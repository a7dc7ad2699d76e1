import { Fault } from '../model/fault.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type TextStream } from '../http/reply.ts'
import { type Caller } from './session.ts'

interface WatchOptions {
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
  checkCredential: Caller['checkCredential']
  /** Sent while there are no events, so that no proxy considers the connection dead. */
  keepAlive: string
  longestMs: number
}

const checkMs = 10_000

/**
 * Wraps a stream that ends when the caller loses its permission, after `longestMs`, or when a read
 * is refused.
 */
export function watchedStream(
  inner: TextStream,
  { clock, checkCredential, keepAlive, longestMs }: WatchOptions,
): TextStream {
  const endMs = clock.elapsedMs() + longestMs
  let waiting: Promise<{ text: string | null }> | null = null
  return {
    async next() {
      waiting ??= inner.next().then((text) => ({ text }), ended)
      const leftMs = endMs - clock.elapsedMs()
      const received = new AbortController()
      const silence = clock
        .sleep(Math.max(0, Math.min(checkMs, leftMs)), received.signal)
        .then(() => null)
      const outcome = await Promise.race([waiting, silence])
      received.abort()
      if (outcome) {
        waiting = null
        return outcome.text
      }
      return leftMs > checkMs && (await checkCredential().catch(() => 'good')) === 'good'
        ? keepAlive
        : null
    },
    close: () => inner.close(),
  }
}

function ended(error: unknown): { text: null } {
  if (error instanceof Fault) return { text: null }
  throw error
}
