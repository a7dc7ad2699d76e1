import { type VolumeExplanation } from './explain.ts'
import { type VolumeState } from './state.ts'

/** A volume as its tenant sees it: a disk that exists apart from VMs. */
export interface VolumeView {
  id: string
  tenantId: string
  /** The namespace of its objects in the cluster. */
  namespace: string
  name: string
  sizeGi: number
  storageClass: string
  state: VolumeState
  stateSince: string
  /** Explains an unusual state; null when there is nothing to explain. */
  explanation: VolumeExplanation | null
  /** The snapshot that it was created from; null for an empty volume. */
  snapshotId: string | null
  /** The VM that the volume is attached to. */
  vmId: string | null
  /** The VM that has not released the volume. */
  heldBy: string | null
  /** True once storage is allocated: at creation or at first use. */
  bound: boolean
  deleting: boolean
  version: number
  createdAt: string
  updatedAt: string
}
