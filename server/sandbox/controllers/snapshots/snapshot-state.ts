import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { clock } from '../../clock.ts'
import { durationMs } from './duration.ts'
import { at, isDeleted, mapOf, specOf, statusOf, textOf } from './fields.ts'

/** What a VirtualMachineSnapshot and its content say about themselves. */
const defaultDeadlineMs = 5 * 60_000

/** Milliseconds left for taking it; null when there is no deadline. */
export function msLeft(snapshot: KubeObject): number | null {
  const { failureDeadline } = specOf(snapshot)
  const deadlineMs = failureDeadline === undefined ? defaultDeadlineMs : (durationMs(textOf(failureDeadline)) ?? defaultDeadlineMs)
  if (deadlineMs === 0) return null
  return Date.parse(snapshot.metadata.creationTimestamp ?? '') + deadlineMs - clock.nowMs()
}

export const isReady = (object: KubeObject): boolean => statusOf(object).readyToUse === true

export const isUnderWay = (snapshot: KubeObject): boolean => !['Failed', 'Succeeded'].includes(textOf(statusOf(snapshot).phase))

export function hasFailed(snapshot: KubeObject): boolean {
  if (statusOf(snapshot).phase === 'Failed') return true
  const left = msLeft(snapshot)
  return isUnderWay(snapshot) && left !== null && left < 0
}

/** Deleted or out of time: nothing more is taken for it. */
export const isEnding = (snapshot: KubeObject): boolean => isDeleted(snapshot) || hasFailed(snapshot)

/** A content that never got ready is of no use to anybody, whatever the policy. */
export const goesWith = (snapshot: KubeObject, content: KubeObject): boolean =>
  (specOf(snapshot).deletionPolicy ?? 'Delete') === 'Delete' || !isReady(content)

export const contentName = (snapshot: KubeObject): string => {
  const given = textOf(statusOf(snapshot).virtualMachineSnapshotContentName)
  return given === '' ? `vmsnapshot-content-${snapshot.metadata.uid}` : given
}

/** The VM as it was when the snapshot was taken. */
export const copiedVm = (content: KubeObject): JsonMap => mapOf(at(content, 'spec', 'source', 'virtualMachine'))
