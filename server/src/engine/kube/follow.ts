import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'

export interface Followed<Found> {
  /** What was found last; null until the cluster answered for the first time. */
  current(): Found | null
  stop(): Promise<void>
}

interface FollowParts<Found> {
  look: () => Promise<Found>
  clock: Clock
  periodMs: number
  /** Also when it is found for the first time. */
  onChange: (found: Found) => void
  onFailure: (error: unknown) => void
}

const failureLimits = { firstMs: 500, capMs: 15_000 }

/**
 * Looks at the start, once in a period, and soon after the cluster came back. What was known stays
 * known while the cluster is away.
 */
export function follow<Found>({
  look,
  clock,
  periodMs,
  onChange,
  onFailure,
}: FollowParts<Found>): Followed<Found> {
  const stopping = new AbortController()
  let current: Found | null = null

  const lookOnce = async (): Promise<boolean> => {
    try {
      const found = await look()
      if (JSON.stringify(found) !== JSON.stringify(current)) onChange(found)
      current = found
      return true
    } catch (error) {
      onFailure(error)
      return false
    }
  }

  const followOn = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted;) {
      failures = (await lookOnce()) ? 0 : failures + 1
      await clock.sleep(
        failures === 0 ? periodMs : backoffMs(failures, failureLimits),
        stopping.signal,
      )
    }
  }

  const following = followOn()
  return {
    current: () => current,
    async stop() {
      stopping.abort()
      await following
    },
  }
}
