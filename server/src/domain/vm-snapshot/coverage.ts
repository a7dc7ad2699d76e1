/**
 * Why a disk is not in a snapshot: it forgets with each stop, its storage takes none, or the
 * platform left it out.
 */
export const disksLackedBy = ['forgets', 'storage_class', 'left_out'] as const
export type DiskLackedBy = (typeof disksLackedBy)[number]

/** A disk of a machine at the moment when a snapshot was asked for. */
export interface MachineDisk {
  /** As the machine calls it. */
  disk: string
  /** What it is called by whoever owns it. */
  name: string
  /** Null of what was made for the machine. */
  volumeId: string | null
  sizeGi: number
  obstacle: Exclude<DiskLackedBy, 'left_out'> | null
}

/** What became of a disk in a snapshot. */
export interface CoveredDisk extends Pick<MachineDisk, 'disk' | 'name' | 'volumeId' | 'sizeGi'> {
  included: boolean
  /** Null of what is included. */
  reason: DiskLackedBy | null
}

export const coverages = ['all_disks', 'some_disks', 'settings_only'] as const
/** Disks that forget by themselves are missed by nobody. */
export type Coverage = (typeof coverages)[number]

/** What the cluster says that it has put into a snapshot, disk by disk. */
export const coveredDisks = (
  disks: readonly MachineDisk[],
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
