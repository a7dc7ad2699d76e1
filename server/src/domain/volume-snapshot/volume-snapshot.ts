import { Fault } from '../../engine/model/fault.ts'
import { type SnapshotExplanation } from './explain.ts'
import { type VolumeSnapshotState } from './state.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A snapshot of a volume as its tenant sees it. */
export interface VolumeSnapshotView {
  id: string
  tenantId: string
  /** The namespace of its object in the cluster. */
  namespace: string
  /** The UID of its object; null until it is created. */
  clusterUid: string | null
  name: string
  /** The volume may be deleted already: a snapshot outlives it. */
  volumeId: string
  /** The name of the volume when the snapshot was requested. */
  volumeName: string
  /** The size of the volume at that time. */
  sizeGi: number
  storageClass: string
  /** The schedule that took it; null when a user did. */
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

/** Names the VolumeSnapshot of a snapshot. */
export const snapshotName = (id: string): string => `${prefix}${id}`

/**
 * True when an object of Berth with this name is a tenant's snapshot, and not part of another
 * resource.
 */
export const isSnapshot = (name: string): boolean => name.startsWith(prefix)

/** Returns why no volume can be created from the snapshot now, or null when one can. */
export function restoreRefusal({
  name,
  state,
  deleting,
}: Pick<VolumeSnapshotView, 'name' | 'state' | 'deleting'>): Fault | null {
  const condition = deleting ? 'deleting' : state
  return condition === 'ready'
    ? null
    : new Fault('wrong_state', messageOf(`snapshot.${condition}`, { name }), {
        transient: condition === 'creating',
      })
}
