import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'

export interface PolledValue<Value> {
  /** Returns the last observed value; null until the cluster answered for the first time. */
  current(): Value | null
  /** Resolves when the first reading has ended, whether it succeeded or failed. */
  firstRead(): Promise<void>
  stop(): Promise<void>
}

interface FollowParts<Value> {
  read: () => Promise<Value>
  clock: Clock
  /** The time until the next reading, which may depend on the last value. */
  periodMs: (value: Value | null) => number
  /** Called on a change and on the first value. */
  /** `before` is null for the first value. */
  onChange: (value: Value, before: Value | null) => void
  onFailure: (error: unknown) => void
}

const failureLimits = { firstMs: 500, capMs: 15_000 }

/**
 * Reads a value at the start, once per period, and soon after the cluster is reachable again. The
 * last value stays while the cluster is unreachable.
 */
export function pollValue<Value>({
  read,
  clock,
  periodMs,
  onChange,
  onFailure,
}: FollowParts<Value>): PolledValue<Value> {
  const stopping = new AbortController()
  let current: Value | null = null
  const first = Promise.withResolvers<undefined>()

  const readOnce = async (): Promise<boolean> => {
    try {
      const value = await read()
      if (JSON.stringify(value) !== JSON.stringify(current)) onChange(value, current)
      current = value
      return true
    } catch (error) {
      onFailure(error)
      return false
    } finally {
      first.resolve(undefined)
    }
  }

  const poll = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted;) {
      failures = (await readOnce()) ? 0 : failures + 1
      await clock.sleep(
        failures === 0 ? periodMs(current) : backoffMs(failures, failureLimits),
        stopping.signal,
      )
    }
  }

  const following = poll()
  return {
    current: () => current,
    firstRead: () => first.promise,
    async stop() {
      stopping.abort()
      await following
    },
  }
}
