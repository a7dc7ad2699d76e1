import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type Asked, type Rule, found, parts } from '../rules/rule.ts'

/** Disks stand for volumes, and no two devices are tried at the same time. */
export const bootOrder: Rule = (asked) => {
  const taken = new Set<number>()
  const volumes = new Map(parts.volumes(asked).map((volume) => [read.text(volume.name), volume]))
  const disks = parts.disks(asked).flatMap((disk, index) => {
    const at = `${asked.at}.domain.devices.disks[${index}]`
    const volume = volumes.get(read.text(disk.name))
    return [
      ...(volume ? mappingCauses(at, disk, volume) : missingCauses(asked, at, disk)),
      ...takenCauses(at, disk.bootOrder, taken),
    ]
  })
  return [
    ...disks,
    ...parts.interfaces(asked).flatMap((each, index) => cardCauses(asked, { each, index }, taken)),
  ]
}

/** An empty drive has no volume; anything else must. */
function missingCauses({ config }: Asked, at: string, { name, cdrom }: JsonMap): Cause[] {
  if (cdrom === undefined)
    return [cause.wrong(`${at}.name`, `${at}.Name '${read.text(name)}' not found.`)]
  const message =
    'DeclarativeHotplugVolumes feature gate not enabled, cannot define an empty CD-ROM disk'
  return config.isOn('DeclarativeHotplugVolumes') ? [] : [cause.wrong(`${at}.name`, message)]
}

function mappingCauses(at: string, { lun, disk }: JsonMap, volume: JsonMap): Cause[] {
  const isStored = volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined
  const bus = read.text(read.at(disk, 'bus'))
  const isMetrics = volume.downwardMetrics !== undefined
  const wrongBus = `DownwardMetrics volume must be mapped to virtio bus, but ${at}.disk.bus is set to ${bus}`
  return found(
    [
      lun !== undefined && !isStored,
      cause.wrong(
        `${at}.lun`,
        `${at}.lun can only be mapped to a DataVolume or PersistentVolumeClaim volume.`,
      ),
    ],
    [
      isMetrics && disk === undefined,
      cause.required(
        `${at}.disk`,
        `DownwardMetrics volume must be mapped to a disk, but disk is not set on ${at}.disk.`,
      ),
    ],
    [
      isMetrics && disk !== undefined && bus !== 'virtio' && bus !== '',
      cause.wrong(`${at}.disk.bus`, wrongBus),
    ],
  )
}

function takenCauses(at: string, order: unknown, taken: Set<number>): Cause[] {
  if (typeof order !== 'number') return []
  const isTaken = taken.has(order)
  taken.add(order)
  return found([
    isTaken,
    cause.wrong(
      `${at}.bootOrder`,
      `Boot order for ${at}.bootOrder already set for a different device.`,
    ),
  ])
}

function cardCauses(
  { at }: Asked,
  { each, index }: { each: JsonMap; index: number },
  taken: Set<number>,
): Cause[] {
  const isTooSmall = typeof each.bootOrder === 'number' && each.bootOrder < 1
  if (!isTooSmall)
    return takenCauses(`${at}.domain.devices.interfaces[${index}]`, each.bootOrder, taken)
  // KubeVirt loses its way to the interface here.
  return [
    cause.wrong(
      `${at}[${index}].bootOrder`,
      `${at}[${index}] must have a boot order > 0, if supplied`,
    ),
  ]
}
