import { Fault } from '../../engine/model/fault.ts'
import { type SnapshotExplanation } from './explain.ts'
import { type VolumeSnapshotState } from './state.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A snapshot of a volume as its tenant sees it. */
export interface VolumeSnapshotView {
  id: string
  tenantId: string
  /** Where the cluster has it. */
  namespace: string
  name: string
  /** Also where the volume is gone: a snapshot outlives it. */
  volumeId: string
  /** As it was called when the snapshot was asked for. */
  volumeName: string
  /** Of the volume at that time. */
  sizeGi: number
  storageClass: string
  /** Which made it; null where somebody did. */
  scheduleId: string | null
  state: VolumeSnapshotState
  stateSince: string
  explanation: SnapshotExplanation | null
  deleting: boolean
  version: number
  createdAt: string
  updatedAt: string
}

const prefix = 'snap-'

/** What bears a snapshot in the cluster. */
export const snapshotName = (id: string): string => `${prefix}${id}`

/**
 * Whether an object of ours with this name is a tenant's snapshot, and not a part of something
 * else.
 */
export const isSnapshot = (name: string): boolean => name.startsWith(prefix)

/** Why no volume can be made from it now, in words for a user; null when one can. */
export function restoreRefusal({
  name,
  state,
  deleting,
}: Pick<VolumeSnapshotView, 'name' | 'state' | 'deleting'>): Fault | null {
  const absence = deleting ? 'deleting' : state
  return absence === 'ready'
    ? null
    : new Fault('wrong_state', messageOf(`snapshot.${absence}`, { name }))
}
