import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { type RuleContext, type Rule, causesWhere, parts } from '../rules/rule.ts'

/** Every disk maps to a volume, and no two devices have the same boot order. */
export const bootOrder: Rule = (context) => {
  const taken = new Set<number>()
  const volumes = new Map(parts.volumes(context).map((volume) => [read.text(volume.name), volume]))
  const disks = parts.disks(context).flatMap((disk, index) => {
    const at = `${context.at}.domain.devices.disks[${index}]`
    const volume = volumes.get(read.text(disk.name))
    return [
      ...(volume ? mappingCauses(at, disk, volume) : missingCauses(context, at, disk)),
      ...takenCauses(at, disk.bootOrder, taken),
    ]
  })
  return [
    ...disks,
    ...parts
      .interfaces(context)
      .flatMap((each, index) => interfaceCauses(context, { each, index }, taken)),
  ]
}

/** Only an empty CD-ROM drive may lack a volume. */
function missingCauses({ config }: RuleContext, at: string, { name, cdrom }: JsonMap): Cause[] {
  if (cdrom === undefined)
    return [cause.wrong(`${at}.name`, `${at}.Name '${read.text(name)}' not found.`)]
  const message =
    'DeclarativeHotplugVolumes feature gate not enabled, cannot define an empty CD-ROM disk'
  return config.isGateEnabled('DeclarativeHotplugVolumes')
    ? []
    : [cause.wrong(`${at}.name`, message)]
}

function mappingCauses(at: string, { lun, disk }: JsonMap, volume: JsonMap): Cause[] {
  const isStored = volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined
  const bus = read.text(read.at(disk, 'bus'))
  const isMetrics = volume.downwardMetrics !== undefined
  const wrongBus = `DownwardMetrics volume must be mapped to virtio bus, but ${at}.disk.bus is set to ${bus}`
  return causesWhere(
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
  return causesWhere([
    isTaken,
    cause.wrong(
      `${at}.bootOrder`,
      `Boot order for ${at}.bootOrder already set for a different device.`,
    ),
  ])
}

function interfaceCauses(
  { at }: RuleContext,
  { each, index }: { each: JsonMap; index: number },
  taken: Set<number>,
): Cause[] {
  const isTooSmall = typeof each.bootOrder === 'number' && each.bootOrder < 1
  if (!isTooSmall)
    return takenCauses(`${at}.domain.devices.interfaces[${index}]`, each.bootOrder, taken)
  // KubeVirt omits `domain.devices.interfaces` from this path.
  return [
    cause.wrong(
      `${at}[${index}].bootOrder`,
      `${at}[${index}] must have a boot order > 0, if supplied`,
    ),
  ]
}
