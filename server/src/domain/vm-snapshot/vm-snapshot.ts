import { type VolumeSnapshotState } from '../volume-snapshot/state.ts'
import { type CoveredDisk } from './coverage.ts'
import { type VmSnapshotExplanation } from './explain.ts'
import { type Consistency } from './state.ts'

export const vmSnapshotOrigins = ['asked', 'safety', 'schedule'] as const
/** Whether somebody asked for it, or it was taken before a restore, or by a schedule. */
export type VmSnapshotOrigin = (typeof vmSnapshotOrigins)[number]

/** A snapshot of a machine as its tenant sees it. */
export interface VmSnapshotView {
  id: string
  tenantId: string
  /** Where the cluster has it. */
  namespace: string
  name: string
  /** Also where the machine is gone: a snapshot outlives it. */
  vmId: string
  /** As it was called when the snapshot was asked for. */
  vmName: string
  origin: VmSnapshotOrigin
  /** Which made it; null where somebody did. */
  scheduleId: string | null
  state: VolumeSnapshotState
  stateSince: string
  explanation: VmSnapshotExplanation | null
  /** What is in it and what is not; null until that is known. */
  disks: readonly CoveredDisk[] | null
  /** Null until that is known. */
  consistency: Consistency | null
  /** Of the machine then. */
  cpu: number
  memoryMi: number
  takenAt: string | null
  deleting: boolean
  version: number
  createdAt: string
  updatedAt: string
}

const prefix = 'vmsnap-'

/** What bears a snapshot of a machine in the cluster. */
export const vmSnapshotName = (id: string): string => `${prefix}${id}`

/** Whether an object of ours with this name is a tenant's snapshot of a machine. */
export const isVmSnapshot = (name: string): boolean => name.startsWith(prefix)

/** What bears the content of a disk in a snapshot, by the snapshot's identity in the cluster. */
export const copyObjectOf = (clusterUid: string, disk: string): string =>
  `vmsnapshot-${clusterUid}-volume-${disk}`
