import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { disksOf, named, statusesOf, volumesOf } from '../hotplug/volumes.ts'
import { isDeclared } from '../hotplug/volume-source.ts'
import { templateOf } from './template.ts'
import { type Verdict, nothing } from './verdict.ts'

/*
 * The VM's spec defines the hotplugged volumes of the VMI. A changed volume is detached first. It
 * is attached with its new source after its old status is gone, because that status means that the
 * detach is still running.
 */
export function volumesVerdict(vm: KubeObject, vmi: KubeObject): Verdict {
  if (read.text(read.spec(vm).updateVolumesStrategy) === 'Migration') return nothing
  const template = templateOf(vm)
  const volumes = [...staying(template, vmi), ...added(template, vmi)]
  const disks = [...stayingDisks(template, vmi, volumes), ...addedDisks(template, vmi, volumes)]
  if (isDeepStrictEqual(volumes, volumesOf(vmi)) && isDeepStrictEqual(disks, disksOf(vmi)))
    return nothing
  const refusal = refusalOf(vmi, volumes, disks)
  if (refusal !== null)
    return {
      do: 'refuse',
      error: { reason: 'HotPlugVolumeError', message: `${handling}: ${denied}: ${refusal}` },
    }
  const domain = read.map(read.spec(vmi).domain)
  const devices = { ...read.map(domain.devices), disks }
  return { do: 'change', spec: { ...read.spec(vmi), domain: { ...domain, devices }, volumes } }
}

const handling = 'Error encountered while handling declarative hotplug volumes'
const denied =
  'admission webhook "virtualmachineinstances-update-validator.kubevirt.io" denied the request'

type Template = ReturnType<typeof templateOf>

function staying(template: Template, vmi: KubeObject): JsonMap[] {
  return volumesOf(vmi).filter((volume) => {
    if (!isDeclared(volume)) return true
    const desired = named(template.volumes, volume.name)
    return desired !== undefined && (!isDeclared(desired) || isDeepStrictEqual(desired, volume))
  })
}

const added = (template: Template, vmi: KubeObject): JsonMap[] =>
  template.volumes.filter(
    (volume) =>
      isDeclared(volume) &&
      !named(volumesOf(vmi), volume.name) &&
      !named(statusesOf(vmi), volume.name),
  )

/** An empty CD-ROM drive stays when its medium is removed. */
function stayingDisks(template: Template, vmi: KubeObject, volumes: readonly JsonMap[]): JsonMap[] {
  return disksOf(vmi).filter((disk) => {
    if (named(volumes, disk.name)) return true
    const desired = named(template.disks, disk.name)
    if (!desired) return false
    const isDrive = desired.cdrom !== undefined && disk.cdrom !== undefined
    return isDrive || !named(template.volumes, disk.name)
  })
}

const addedDisks = (template: Template, vmi: KubeObject, volumes: readonly JsonMap[]): JsonMap[] =>
  template.disks.filter((disk) => {
    const volume = named(volumes, disk.name)
    return volume !== undefined && isDeclared(volume) && !named(disksOf(vmi), disk.name)
  })

/** The refusal of the VMI update webhook, or null. */
function refusalOf(
  vmi: KubeObject,
  volumes: readonly JsonMap[],
  disks: readonly JsonMap[],
): string | null {
  const needed = disks.filter(
    (disk) => named(volumes, disk.name) !== undefined || disk.cdrom === undefined,
  ).length
  const filesystems = read.maps(read.at(vmi.spec, 'domain', 'devices', 'filesystems')).length
  const declared = volumes.filter(({ memoryDump }) => memoryDump === undefined).length
  if (needed + filesystems !== declared)
    return `mismatch between volumes declared (${declared}) and required (${needed + filesystems})`
  const addedVolumes = volumes.filter((volume) => !named(volumesOf(vmi), volume.name))
  for (const { name } of addedVolumes) {
    const disk = named(disks, name)
    const refusal = disk && !named(disksOf(vmi), name) ? diskRefusal(disk) : null
    if (refusal !== null) return refusal
  }
  return null
}

function diskRefusal(disk: JsonMap): string | null {
  const name = read.text(disk.name)
  const bus = read.text(read.at(disk.disk ?? disk.lun, 'bus'))
  if (disk.disk !== undefined && !['scsi', 'virtio'].includes(bus))
    return `Hotplug configuration for disk [${name}] requires bus to be 'scsi' or 'virtio'. [${bus}] is not permitted.`
  if (disk.lun !== undefined && bus !== 'scsi')
    return `Hotplug configuration for LUN [${name}] requires bus to be 'scsi'. [${bus}] is not permitted.`
  if ((disk.disk ?? disk.lun) === undefined)
    return `Hotplug configuration for [${name}] requires diskDevice of type 'disk' or 'lun' to be used.`
  if (disk.dedicatedIOThread === true && bus !== 'virtio')
    return `Hotplug configuration for [${name}] requires virtio bus for IOThreads.`
  return null
}
