import { Fault } from '../model/fault.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type TextStream } from '../http/reply.ts'
import { type Caller } from './session.ts'

interface Watch {
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
  standing: Caller['standing']
  /**
   * Said while there is nothing to say, so that nobody in between takes the connection for dead.
   */
  beat: string
  longestMs: number
}

const lookMs = 10_000

/**
 * A stream that ends when its listener may not listen any more, or has for long enough; what is
 * refused on the way ends it too.
 */
export function watchedStream(
  inner: TextStream,
  { clock, standing, beat, longestMs }: Watch,
): TextStream {
  const endMs = clock.elapsedMs() + longestMs
  let waiting: Promise<{ text: string | null }> | null = null
  return {
    async next() {
      waiting ??= inner.next().then((text) => ({ text }), ended)
      const left = endMs - clock.elapsedMs()
      const told = new AbortController()
      const silence = clock.sleep(Math.max(0, Math.min(lookMs, left)), told.signal).then(() => null)
      const outcome = await Promise.race([waiting, silence])
      told.abort()
      if (outcome) {
        waiting = null
        return outcome.text
      }
      return left > lookMs && (await standing().catch(() => 'good')) === 'good' ? beat : null
    },
    close: () => inner.close(),
  }
}

function ended(error: unknown): { text: null } {
  if (error instanceof Fault) return { text: null }
  throw error
}
