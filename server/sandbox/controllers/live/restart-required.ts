import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { isHotpluggable } from '../hotplug/volume-source.ts'
import { named } from '../hotplug/volumes.ts'
import { doNicsNeedRestart } from './nics.ts'
import { type Template, templateIn, templateOf } from './template.ts'

/**
 * True when the VM's spec differs from the spec at start in a field that cannot be updated live.
 */
export function needsRestart(startSpec: JsonMap, vm: KubeObject, vmi: KubeObject): boolean {
  const before = templateIn(startSpec)
  const now = templateOf(vm)
  const isPluggedOnly = arePluggedOnly(before, now, read.text(read.spec(vm).updateVolumesStrategy))
  const areDisksLive = areDisksPluggedOnly(before, now)
  const live = { vmi, isPluggedOnly, areDisksLive, areNicsLive: !doNicsNeedRestart(vm, vmi) }
  return !isDeepStrictEqual(withoutLive(before, live), withoutLive(now, live))
}

interface Live {
  vmi: KubeObject
  isPluggedOnly: boolean
  areDisksLive: boolean
  areNicsLive: boolean
}

/**
 * The template without the fields that can be updated live. Equal results mean that no restart is
 * needed.
 */
function withoutLive(
  { spec, volumes, disks }: Template,
  { vmi, isPluggedOnly, areDisksLive, areNicsLive }: Live,
): JsonMap {
  const {
    nodeSelector: _selector,
    affinity: _affinity,
    tolerations: _tolerations,
    networks = [],
    ...rest
  } = spec
  const domain = read.map(rest.domain)
  const { sockets: _sockets, ...cpu } = read.map(domain.cpu)
  const { guest: _guest, ...memory } = read.map(domain.memory)
  const { uuid, ...firmware } = read.map(domain.firmware)
  const { interfaces = [], ...devices } = read.map(domain.devices)
  const isUuidUnchanged =
    uuid === undefined || uuid === read.at(vmi.spec, 'domain', 'firmware', 'uuid')
  return {
    ...rest,
    volumes: isPluggedOnly ? [] : volumes,
    networks: areNicsLive ? [] : networks,
    domain: {
      ...domain,
      cpu: domain.cpu === undefined ? null : cpu,
      memory,
      firmware: isUuidUnchanged ? firmware : { ...firmware, uuid },
      devices: {
        ...devices,
        disks: areDisksLive ? [] : disks,
        interfaces: areNicsLive ? [] : interfaces,
      },
    },
  }
}

function arePluggedOnly(before: Template, now: Template, strategy: string): boolean {
  const left = before.volumes.filter((volume) => !named(now.volumes, volume.name))
  return (
    left.every(isHotpluggable) &&
    now.volumes.every((volume) => {
      const old = named(before.volumes, volume.name)
      if (isHotpluggable(volume)) return true
      const isMoved =
        strategy === 'Migration' &&
        (volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined)
      return old !== undefined && (isMoved || isDeepStrictEqual(old, volume))
    })
  )
}

function areDisksPluggedOnly(before: Template, now: Template): boolean {
  const isSame = now.disks.every((disk) => {
    const volume = named(now.volumes, disk.name)
    if (volume && isHotpluggable(volume)) return true
    const old = named(before.disks, disk.name)
    return old !== undefined && isDeepStrictEqual(old, disk)
  })
  const left = before.disks.filter((disk) => !named(now.disks, disk.name))
  return (
    isSame &&
    left.every((disk) => {
      const volume = named(before.volumes, disk.name)
      return disk.cdrom === undefined && (!volume || isHotpluggable(volume))
    })
  )
}
