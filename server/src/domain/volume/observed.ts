/** The observed PersistentVolumeClaim of a volume. */
export interface ObservedClaim {
  uid: string
  version: string
  /** The row id in its label; null when Berth does not own the object. */
  rowId: string | null
  isDeleting: boolean
  /** The phase of the claim in Kubernetes. */
  phase: string
  /** The requested and the actual capacity; null when it is not reported. */
  requestedBytes: number | null
  capacityBytes: number | null
}

/** How a VM has a disk, as observed. */
export interface ObservedHolder {
  /** True when the spec of the VM contains the disk. */
  isInSpec: boolean
  /**
   * The disk in the VMI: it has the disk, gets or loses it, or lacks it. A VMI that is `starting`
   * gets all disks of the spec; `off` means that there is no VMI.
   */
  vmiState: 'off' | 'starting' | 'without' | 'coming' | 'there' | 'leaving'
}
