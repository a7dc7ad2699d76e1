import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { isRefusal } from './outage.ts'

interface Kept {
  /** For the log. */
  what: string
  put: () => Promise<void>
  clock: Pick<Clock, 'sleep'>
  log: Log
}

const pauseMs = { between: 60_000, afterTrouble: 5_000 } as const

/** Keeps something of the platform's own in the cluster, which has no row. Ends soon after the signal. */
export async function keepApplied({ what, put, clock, log }: Kept, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const waitMs = await put().then(
      () => pauseMs.between,
      (error: unknown) => {
        log.warn(`${what} could not be made`, { error })
        // Somebody has to do something about it first.
        return isRefusal(error) ? pauseMs.between : pauseMs.afterTrouble
      },
    )
    await clock.sleep(waitMs, signal)
  }
}
