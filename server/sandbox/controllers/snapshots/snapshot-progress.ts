import { type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { durationMs } from '../../objects/duration.ts'
import { isDeleted } from '../finalizers.ts'
import { read } from '../../objects/read.ts'

/** The time that KubeVirt allows for a snapshot without `failureDeadline`. */
const defaultDeadlineMs = 5 * 60_000

/** The milliseconds left until the deadline; null without a deadline. */
export function msLeft(snapshot: KubeObject): number | null {
  const { failureDeadline } = read.spec(snapshot)
  const deadlineMs =
    failureDeadline === undefined
      ? defaultDeadlineMs
      : (durationMs(read.text(failureDeadline)) ?? defaultDeadlineMs)
  if (deadlineMs === 0) return null
  return Date.parse(snapshot.metadata.creationTimestamp ?? '') + deadlineMs - clock.nowMs()
}

export const isUnderWay = (snapshot: KubeObject): boolean =>
  !['Failed', 'Succeeded'].includes(read.text(read.status(snapshot).phase))

export function hasFailed(snapshot: KubeObject): boolean {
  if (read.status(snapshot).phase === 'Failed') return true
  const left = msLeft(snapshot)
  return isUnderWay(snapshot) && left !== null && left < 0
}

/** True when the snapshot is deleted or past its deadline: no more volume snapshots are taken. */
export const isEnding = (snapshot: KubeObject): boolean =>
  isDeleted(snapshot) || hasFailed(snapshot)
