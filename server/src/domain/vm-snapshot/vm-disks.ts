import { Fault } from '../../engine/model/fault.ts'
import { type StorageClasses, requireStorageClasses } from '../storage-class/storage-class.ts'
import { type VmView } from '../vm/vm.ts'
import { volumeName } from '../volume/object-names.ts'
import { type VolumeView } from '../volume/volume.ts'
import { type VmDisk, coverageOf, coveredDisks } from './coverage.ts'
import { messageOf } from '../../engine/model/message.ts'

type SnapshotVm = Pick<VmView, 'rootDisk' | 'bootDiskSizeGi' | 'storageClass'> & {
  isoSizeGi: number | null
}
type AttachedVolume = Pick<VolumeView, 'id' | 'name' | 'sizeGi' | 'storageClass'>

/** Lists the disks of a VM, each with the obstacle to including it in a snapshot. */
export function vmDisksOf(
  vm: SnapshotVm,
  volumes: readonly AttachedVolume[],
  classes: StorageClasses,
): VmDisk[] {
  const known = requireStorageClasses(classes)
  const obstacleOn = (name: string | null): VmDisk['obstacle'] =>
    known.find((each) => (name === null ? each.isDefault : each.name === name))?.snapshot.available
      ? null
      : 'storage_class'
  const ownDisk = (disk: 'root' | 'iso', sizeGi: number): VmDisk => ({
    disk,
    name: disk,
    volumeId: null,
    sizeGi,
    obstacle:
      disk === 'root' && vm.rootDisk === 'ephemeral' ? 'forgets' : obstacleOn(vm.storageClass),
  })
  return [
    ownDisk('root', vm.bootDiskSizeGi),
    ...(vm.isoSizeGi === null ? [] : [ownDisk('iso', vm.isoSizeGi)]),
    ...volumes.map(({ id, name, sizeGi, storageClass }) => ({
      disk: volumeName(id),
      name,
      volumeId: id,
      sizeGi,
      obstacle: obstacleOn(storageClass),
    })),
  ]
}

/**
 * Returns why an incomplete snapshot is refused unless the client accepts it, with the missing
 * disks. Null when no disk would be missing.
 */
export function coverageRefusal(vmName: string, disks: readonly VmDisk[]): Fault | null {
  const expected = coveredDisks(
    disks,
    disks.flatMap(({ disk, obstacle }) => (obstacle === null ? disk : [])),
  )
  const coverage = coverageOf(expected)
  if (coverage === 'all_disks') return null
  const missing = expected.flatMap(({ included, name, sizeGi, reason }) =>
    included
      ? []
      : messageOf(`vm_snapshot.lacks.${reason ?? 'left_out'}`, { disk: name, size: sizeGi }),
  )
  const key =
    coverage === 'settings_only' ? 'vm_snapshot.lacks_all_disks' : 'vm_snapshot.lacks_disks'
  return new Fault('snapshots_not_supported', messageOf(key, { vm: vmName, disks: missing }))
}
