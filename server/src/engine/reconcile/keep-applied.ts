import { type WatchedKind, type KindWatcher } from '../kube/watch/watch.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { isRefusal } from './outage.ts'

interface Kept {
  /** For the log. */
  what: string
  put: () => Promise<void>
  /** Of which there are a few: a change of one is put right at once. */
  watched: readonly WatchedKind[]
  cluster: KindWatcher
  clock: Pick<Clock, 'sleep'>
  log: Log
}

// What follows a change is told with it, and our own write is a change.
const pauseMs = { between: 60_000, afterTrouble: 5_000, afterChange: 500 } as const

/**
 * Keeps something of the platform's own in the cluster, which has no row. Ends soon after the
 * signal.
 */
export async function keepApplied(
  { what, put, watched, cluster, clock, log }: Kept,
  signal: AbortSignal,
): Promise<void> {
  let bell = new AbortController()
  const watches = watched.map((noun) => cluster.watch(noun, () => bell.abort()))
  while (!signal.aborted) {
    bell = new AbortController()
    const waitMs = await put().then(
      () => pauseMs.between,
      (error: unknown) => {
        log.warn(`${what} could not be made`, { error })
        // Somebody has to do something about it first.
        return isRefusal(error) ? pauseMs.between : pauseMs.afterTrouble
      },
    )
    await clock.sleep(waitMs, AbortSignal.any([signal, bell.signal]))
    await clock.sleep(pauseMs.afterChange, signal)
  }
  await Promise.all(watches.map((watch) => watch.stop()))
}
