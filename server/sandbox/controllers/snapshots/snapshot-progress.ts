import { type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { durationMs } from '../../objects/duration.ts'
import { isDeleted } from '../holds.ts'
import { read } from '../../objects/read.ts'

/** What a VirtualMachineSnapshot and its content say about themselves. */
const defaultDeadlineMs = 5 * 60_000

/** Milliseconds left for taking it; null when there is no deadline. */
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

/** Deleted or out of time: nothing more is taken for it. */
export const isEnding = (snapshot: KubeObject): boolean =>
  isDeleted(snapshot) || hasFailed(snapshot)
