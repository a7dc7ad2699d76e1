export interface WantedDataVolume {
  source:
    | { kind: 'http'; url: string; checksum?: string }
    /** The disk in a container image; without a scheme, as `quay.io/containerdisks/fedora:42`. */
    | { kind: 'registry'; image: string }
    | { kind: 'blank' }
    | { kind: 'volume' | 'volumeSnapshot'; namespace: string; name: string }
  /**
   * Null takes the size of what is copied. A copy of a snapshot has to: its source's nominal size
   * is refused as too small.
   */
  sizeGi: number | null
  /** Null is the cluster's default for VMs. */
  storageClass: string | null
  /** Filled at once, also where a volume would wait for its first use. */
  immediate: boolean
}

export interface WantedVolume {
  sizeGi: number
  storageClass: string | null
  mode: 'Block' | 'Filesystem'
  access: 'ReadWriteMany' | 'ReadWriteOnce'
  /** The snapshot that it begins as. */
  snapshot: string | null
}

export interface WantedVolumeSnapshot {
  volume: string
  /** Null is the default of the volume's driver. */
  snapshotClass: string | null
}
