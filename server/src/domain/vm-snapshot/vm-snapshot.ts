import { type VolumeSnapshotState } from '../volume-snapshot/state.ts'
import { type CoveredDisk } from './coverage.ts'
import { type VmSnapshotExplanation } from './explain.ts'
import { type Consistency } from './state.ts'

export const vmSnapshotOrigins = ['asked', 'safety', 'schedule'] as const
/**
 * The reason for the snapshot: a user's request, the safety snapshot before a restore, or a
 * schedule.
 */
export type VmSnapshotOrigin = (typeof vmSnapshotOrigins)[number]

/** A VM snapshot as its tenant sees it. */
export interface VmSnapshotView {
  id: string
  tenantId: string
  /** The namespace of its object in the cluster. */
  namespace: string
  /** The UID of its object; null until it is created. */
  clusterUid: string | null
  name: string
  /** The VM may be deleted already: a snapshot outlives it. */
  vmId: string
  /** The name of the VM when the snapshot was requested. */
  vmName: string
  origin: VmSnapshotOrigin
  /** The schedule that took it; null when a user did. */
  scheduleId: string | null
  state: VolumeSnapshotState
  stateSince: string
  explanation: VmSnapshotExplanation | null
  /** The included and the missing disks; null until they are known. */
  disks: readonly CoveredDisk[] | null
  /** The consistency of the disks; null until it is known. */
  consistency: Consistency | null
  /** The size of the VM at that time. */
  cpu: number
  memoryMi: number
  takenAt: string | null
  deleting: boolean
  version: number
  createdAt: string
  updatedAt: string
}

const prefix = 'vmsnap-'

/** Names the VirtualMachineSnapshot of a snapshot. */
export const vmSnapshotName = (id: string): string => `${prefix}${id}`

/** True when an object of Berth with this name is a tenant's VM snapshot. */
export const isVmSnapshot = (name: string): boolean => name.startsWith(prefix)

/** Names the VolumeSnapshot of a disk, which KubeVirt derives from the UID of the VM snapshot. */
export const diskSnapshotName = (clusterUid: string, disk: string): string =>
  `vmsnapshot-${clusterUid}-volume-${disk}`
