/**
 * Reasons why a disk is missing in a snapshot: it is ephemeral, its storage class has no snapshots,
 * or KubeVirt left it out.
 */
export const missingDiskReasons = ['forgets', 'storage_class', 'left_out'] as const
export type MissingDiskReason = (typeof missingDiskReasons)[number]

/** A disk of a VM when the snapshot was requested. */
export interface VmDisk {
  /** The name of the disk in the VM spec. */
  disk: string
  /** The name of the volume for its owner. */
  name: string
  /** The volume on the disk; null for the root disk and the ISO, which belong to the VM. */
  volumeId: string | null
  sizeGi: number
  obstacle: Exclude<MissingDiskReason, 'left_out'> | null
}

/** Tells if a snapshot includes a disk, and if not, why. */
export interface CoveredDisk extends Pick<VmDisk, 'disk' | 'name' | 'volumeId' | 'sizeGi'> {
  included: boolean
  /** The reason why the disk is missing; null when it is included. */
  reason: MissingDiskReason | null
}

export const coverages = ['all_disks', 'some_disks', 'settings_only'] as const
/** Which disks the snapshot covers. Ephemeral disks are not counted. */
export type Coverage = (typeof coverages)[number]

/** Marks the disks that the cluster reports as included. */
export const coveredDisks = (
  disks: readonly VmDisk[],
  included: readonly string[],
): CoveredDisk[] =>
  disks.map(({ obstacle, ...each }) => {
    const isIncluded = included.includes(each.disk)
    return { ...each, included: isIncluded, reason: isIncluded ? null : (obstacle ?? 'left_out') }
  })

export function coverageOf(disks: readonly Pick<CoveredDisk, 'included' | 'reason'>[]): Coverage {
  if (!disks.some(({ included }) => included)) return 'settings_only'
  return disks.every(({ included, reason }) => included || reason === 'forgets')
    ? 'all_disks'
    : 'some_disks'
}
