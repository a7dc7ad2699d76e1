/*
 * The disks and snapshots that reconcilers want in the cluster. `cluster/volume` builds their
 * manifests.
 */

export interface DesiredDataVolume {
  source:
    | { kind: 'http'; url: string; checksum?: string }
    /**
     * The disk in a container image. The name has no scheme, as in
     * `quay.io/containerdisks/fedora:42`.
     */
    | { kind: 'registry'; image: string }
    | { kind: 'blank' }
    | { kind: 'volume' | 'volumeSnapshot'; namespace: string; name: string }
  /**
   * When null, CDI takes the size of the source. A copy of a snapshot needs null: CDI refuses the
   * nominal size as too small.
   */
  sizeGi: number | null
  /** When null, the cluster's default class for VMs is used. */
  storageClass: string | null
  /** Fills the volume at once, even when its class waits for the first consumer. */
  immediate: boolean
}

/** A PVC without DataVolume. It is empty, or the storage driver fills it from a snapshot. */
export interface DesiredVolume {
  sizeGi: number
  storageClass: string | null
  mode: 'Block' | 'Filesystem'
  access: 'ReadWriteMany' | 'ReadWriteOnce'
  /** The snapshot with the initial content of the volume. */
  snapshot: string | null
}

export interface DesiredVolumeSnapshot {
  volume: string
  /** When null, the default class of the volume's driver is used. */
  snapshotClass: string | null
}
