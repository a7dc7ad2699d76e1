import { type WatchedKind, type KindWatcher } from '../kube/watch/watch.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { missingRightIn } from '../kube/missing-rights.ts'
import { isRefusal } from './outage.ts'

interface KeepAppliedOptions {
  /** The name of the object in log events. */
  what: string
  put: () => Promise<void>
  /** The watched kinds, which have few objects. A change of one is corrected at once. */
  watched: readonly WatchedKind[]
  cluster: KindWatcher
  clock: Pick<Clock, 'sleep'>
  log: Log
}

// A change causes further events, and Berth's own write is a change too. The pause after a change
// covers both.
const pauseMs = { afterFailure: 5_000, afterChange: 500 } as const
/** A watch reports a change, so a watched object is applied again only to be sure. */
const betweenMs = { watched: 300_000, unwatched: 60_000 } as const

/**
 * Keeps an object of the platform, which has no row, applied in the cluster. Ends soon after the
 * signal.
 */
export async function keepApplied(
  { what, put, watched, cluster, clock, log }: KeepAppliedOptions,
  signal: AbortSignal,
): Promise<void> {
  const usualMs = watched.length > 0 ? betweenMs.watched : betweenMs.unwatched
  let notification = new AbortController()
  const watches = watched.map((noun) => cluster.watch(noun, () => notification.abort()))
  while (!signal.aborted) {
    notification = new AbortController()
    const waitMs = await put().then(
      () => usualMs,
      (error: unknown) => {
        const needsFix = isRefusal(error)
        const retryInMs = needsFix ? betweenMs.unwatched : pauseMs.afterFailure
        // The missing right is told once, when the call is refused.
        const level = missingRightIn(error) ? 'debug' : 'warn'
        log[level]('platform.object_apply_failed', {
          object: what,
          error,
          retryInMs,
          effect: 'the object in the cluster stays as it was; Berth tries again',
          remedy: needsFix
            ? 'fix the reported error'
            : 'none, unless it repeats: check the cluster',
        })
        return retryInMs
      },
    )
    await clock.sleep(waitMs, AbortSignal.any([signal, notification.signal]))
    await clock.sleep(pauseMs.afterChange, signal)
  }
  await Promise.all(watches.map((watch) => watch.stop()))
}
