import { rootVolumeOf, vmObjectNames } from '../vm/object-names.ts'

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
  /** The claim of an adopted root disk. */
  rootClaim: string | null
  diskUid: string | null
  isoUid: string | null
}

/** Lists the disks of a VM that exist in the cluster. An ephemeral root disk has no PVC. */
export function ownDisksOf(vm: OwnDiskColumns): VmOwnDisk[] {
  const { storageClass } = vm
  const disks = [
    {
      role: 'root',
      id: vm.rootDisk === 'persistent' ? vm.diskUid : null,
      sizeGi: vm.bootDiskSizeGi,
      claimName: rootVolumeOf(vm),
    },
    { role: 'iso', id: vm.isoUid, sizeGi: vm.isoSizeGi, claimName: vmObjectNames.iso(vm.id) },
  ] as const
  return disks.flatMap(({ id, sizeGi, ...disk }) =>
    id === null || sizeGi === null ? [] : [{ ...disk, id, sizeGi, storageClass }],
  )
}
