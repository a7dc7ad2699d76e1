import { Fault } from '../../engine/model/fault.ts'
import { type StorageClasses, mustBeKnown } from '../storage-class/storage-class.ts'
import { type VmView } from '../vm/vm.ts'
import { volumeName } from '../volume/parts.ts'
import { type VolumeView } from '../volume/volume.ts'
import { type MachineDisk, coverageOf, coveredDisks } from './coverage.ts'
import { messageOf } from '../../engine/model/message.ts'

type Machine = Pick<VmView, 'rootDisk' | 'bootDiskSizeGi' | 'storageClass'> & {
  isoSizeGi: number | null
}
type Attached = Pick<VolumeView, 'id' | 'name' | 'sizeGi' | 'storageClass'>

/** The disks that a machine has, and which of them a snapshot can hold. */
export function machineDisksOf(
  vm: Machine,
  volumes: readonly Attached[],
  classes: StorageClasses,
): MachineDisk[] {
  const known = mustBeKnown(classes)
  const obstacleOn = (name: string | null): MachineDisk['obstacle'] =>
    known.find((each) => (name === null ? each.isDefault : each.name === name))?.snapshot.available
      ? null
      : 'storage_class'
  const own = (disk: 'root' | 'iso', sizeGi: number): MachineDisk => ({
    disk,
    name: disk,
    volumeId: null,
    sizeGi,
    obstacle:
      disk === 'root' && vm.rootDisk === 'ephemeral' ? 'forgets' : obstacleOn(vm.storageClass),
  })
  return [
    own('root', vm.bootDiskSizeGi),
    ...(vm.isoSizeGi === null ? [] : [own('iso', vm.isoSizeGi)]),
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
 * Why a snapshot that lacks disks is not taken unless that is accepted, naming what would be
 * missing; null when nothing would.
 */
export function coverageRefusal(vmName: string, disks: readonly MachineDisk[]): Fault | null {
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
