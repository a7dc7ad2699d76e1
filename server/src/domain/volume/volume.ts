import { type VolumeExplanation } from './explain.ts'
import { type VolumeState } from './state.ts'

/** A volume as its tenant sees it: a disk that lives by itself. */
export interface VolumeView {
  id: string
  tenantId: string
  /** Where the cluster has it. */
  namespace: string
  name: string
  sizeGi: number
  storageClass: string
  state: VolumeState
  stateSince: string
  /** What there is to know about it; null when all is plain. */
  explanation: VolumeExplanation | null
  /** The snapshot that it began as; null of one that began empty. */
  snapshotId: string | null
  /** The machine that it is to be in. */
  vmId: string | null
  /** The machine that has not let go of it. */
  heldBy: string | null
  /** It takes room: since it was made, or since its first use. */
  bound: boolean
  deleting: boolean
  version: number
  createdAt: string
  updatedAt: string
}
