import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { disksOf, named, volumesOf } from './volumes.ts'

/*
 * Device names follow the bus and the order: vda, vdb … on virtio; sda, sdb … on the other buses.
 */

const prefixOf = (disk: JsonMap): string => {
  const bus = read.text(read.at(disk.disk ?? disk.cdrom ?? disk.lun, 'bus'))
  return bus === 'virtio' || bus === '' ? 'vd' : 'sd'
}

/** The letters of the drive with the index: a … z, aa, ab … */
export const driveLetters = (index: number): string =>
  (index < 26 ? '' : driveLetters(Math.floor(index / 26) - 1)) +
  String.fromCharCode(97 + (index % 26))

/** The first device name of the disk's bus that no volume has. */
export function freeTarget(disk: JsonMap, statuses: readonly JsonMap[]): string {
  const prefix = prefixOf(disk)
  const taken = statuses.map(({ target }) => target)
  return (
    prefix +
    driveLetters(
      Array.from({ length: taken.length + 1 }, (_, index) => index).find(
        (index) => !taken.includes(prefix + driveLetters(index)),
      ) ?? 0,
    )
  )
}

/**
 * Assigns device names to the volumes of a guest that has just booted. Hotplugged volumes get
 * theirs later.
 */
export function withTargets(vmi: KubeObject, statuses: readonly JsonMap[]): JsonMap[] {
  const volumes = volumesOf(vmi)
  const assigned = new Map<unknown, string>()
  for (const disk of disksOf(vmi)) {
    const isInGuest =
      named(volumes, disk.name) && named(statuses, disk.name)?.hotplugVolume === undefined
    if (isInGuest)
      assigned.set(
        disk.name,
        freeTarget(
          disk,
          [...assigned.values()].map((target) => ({ target })),
        ),
      )
  }
  return statuses.map((status) => ({ ...status, target: assigned.get(status.name) ?? '' }))
}
