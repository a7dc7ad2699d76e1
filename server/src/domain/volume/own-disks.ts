import { vmObjectNames } from '../vm/object-names.ts'

export const ownDiskRoles = ['root', 'iso'] as const
export type OwnDiskRole = (typeof ownDiskRoles)[number]

/** A disk that belongs to a VM itself and ends with it. */
export interface VmOwnDisk {
  /** The UID of its PVC in the cluster. */
  id: string
  role: OwnDiskRole
  sizeGi: number
  storageClass: string | null
  claimName: string
}

/** The columns of a VM that describe its own disks. */
export interface OwnDiskColumns {
  id: string
  rootDisk: 'persistent' | 'ephemeral'
  bootDiskSizeGi: number
  storageClass: string | null
  isoSizeGi: number | null
  diskUid: string | null
  isoUid: string | null
}

/** Lists the disks of a VM that exist in the cluster. An ephemeral root disk has no PVC. */
export function ownDisksOf({
  id,
  rootDisk,
  bootDiskSizeGi,
  storageClass,
  isoSizeGi,
  diskUid,
  isoUid,
}: OwnDiskColumns): VmOwnDisk[] {
  const root =
    rootDisk === 'persistent' && diskUid !== null
      ? [
          {
            id: diskUid,
            role: 'root' as const,
            sizeGi: bootDiskSizeGi,
            claimName: vmObjectNames.disk(id),
          },
        ]
      : []
  const iso =
    isoUid !== null && isoSizeGi !== null
      ? [{ id: isoUid, role: 'iso' as const, sizeGi: isoSizeGi, claimName: vmObjectNames.iso(id) }]
      : []
  return [...root, ...iso].map((disk) => ({ ...disk, storageClass }))
}
