/** The claim behind a volume, as it was seen. */
export interface SeenClaim {
  uid: string
  version: string
  /** Null on an object that is not ours. */
  rowId: string | null
  isDeleting: boolean
  /** In the cluster's words. */
  phase: string
  /** What was asked for, and what there is; null where it is not told. */
  requestedBytes: number | null
  capacityBytes: number | null
}

/** Whether a machine has a disk, as it was seen. */
export interface SeenHolder {
  /** The machine's description names the disk. */
  isDescribed: boolean
  /**
   * The machine that runs: it has the disk, gets or loses it, or is without; `starting` gets all
   * that is described; `off` is none that runs.
   */
  run: 'off' | 'starting' | 'without' | 'coming' | 'there' | 'leaving'
}
