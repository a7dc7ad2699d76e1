import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { type SubresourceHandler, isDry, store, subjectOf } from './call.ts'
import { optionsIn } from './options.ts'
import { type Subject, deny, empty } from './refusals.ts'

/*
 * Handlers of the subresources addvolume and removevolume, which change the disks in a VM's spec.
 */

const templateOf = (vm: KubeObject): JsonMap => read.map(read.at(vm.spec, 'template', 'spec'))
const disksOf = (spec: JsonMap): JsonMap[] => read.maps(read.at(spec, 'domain', 'devices', 'disks'))

export const addVolume: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.AddVolumeOptions')
  checkAdded(options)
  const vm = subjectOf(call)
  refuseTaken(call.subject, vm, options)
  if (!isDry(options)) store(call, vm, withVolume(vm, options))
  return empty(202)
}

function checkAdded(options: JsonMap): void {
  if (read.text(options.name) === '')
    throw deny.badRequest('AddVolumeOptions requires name to be set')
  if (Object.keys(read.map(options.disk)).length === 0)
    throw deny.badRequest('AddVolumeOptions requires disk to not be nil')
  if (Object.keys(read.map(options.volumeSource)).length === 0)
    throw deny.badRequest('AddVolumeOptions requires VolumeSource to not be nil')
}

/** The PVC of a volume. The PVC of a DataVolume has the name of the DataVolume. */
const sourceOf = (volume: JsonMap): string =>
  read.text(read.at(volume.dataVolume, 'name')) ||
  read.text(read.at(volume.persistentVolumeClaim, 'claimName'))

function refuseTaken(subject: Subject, vm: KubeObject, options: JsonMap): void {
  const source = sourceOf(read.map(options.volumeSource))
  for (const volume of read.maps(templateOf(vm).volumes)) {
    if (volume.name === options.name)
      throw deny.conflict(
        subject,
        `Unable to add volume [${read.text(options.name)}] because volume with that name already exists`,
      )
    if (source !== '' && sourceOf(volume) === source)
      throw deny.conflict(
        subject,
        `Unable to add volume source [${source}] because it already exists`,
      )
  }
}

/** Adds volume and disk under the name of the request, which overrides the name of the disk. */
function withVolume(vm: KubeObject, options: JsonMap): KubeObject {
  const { name } = options
  const spec = templateOf(vm)
  const sources = Object.entries(read.map(options.volumeSource)).map(
    ([kind, value]): [string, JsonMap] => [kind, { ...read.map(value), hotpluggable: true }],
  )
  const volumes = [...read.maps(spec.volumes), { name, ...Object.fromEntries(sources) }]
  const disk = read.map(options.disk)
  // A disk without a device type becomes a disk on the hotpluggable SCSI bus.
  const kind = disk.lun || disk.cdrom || disk.disk ? {} : { disk: { bus: 'scsi' } }
  return withTemplate(vm, { disks: [...disksOf(spec), { ...disk, ...kind, name }], volumes })
}

function withTemplate(
  vm: KubeObject,
  { disks, volumes }: { disks: JsonMap[]; volumes: JsonMap[] },
): KubeObject {
  const spec = templateOf(vm)
  const domain = read.map(spec.domain)
  const devices = { ...read.map(domain.devices), disks }
  const template = {
    ...read.map(read.spec(vm).template),
    spec: { ...spec, domain: { ...domain, devices }, volumes },
  }
  return { ...vm, spec: { ...read.spec(vm), template } }
}

export const removeVolume: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.RemoveVolumeOptions')
  const name = read.text(options.name)
  if (name === '') throw deny.badRequest('RemoveVolumeOptions requires name to be set')
  const vm = subjectOf(call)
  const spec = templateOf(vm)
  const volume = read.maps(spec.volumes).find((each) => each.name === name)
  if (!volume)
    throw deny.conflict(call.subject, `Unable to remove volume [${name}] because it does not exist`)
  const source = read.map(volume.dataVolume ?? volume.persistentVolumeClaim)
  if (source.hotpluggable !== true)
    throw deny.conflict(
      call.subject,
      `Unable to remove volume [${name}] because it is not hotpluggable`,
    )
  const rest = (list: JsonMap[]): JsonMap[] => list.filter((each) => each.name !== name)
  const next = withTemplate(vm, {
    disks: rest(disksOf(spec)),
    volumes: rest(read.maps(spec.volumes)),
  })
  if (!isDry(options)) store(call, vm, next)
  return empty(202)
}

/** Refuses volume changes on a VMI: they follow the VM, or need a feature gate. */
const refuseOwned =
  (type: string): SubresourceHandler =>
  (call) => {
    optionsIn(call.body, type)
    const { metadata } = subjectOf(call)
    const isOwned = metadata.ownerReferences?.some(({ kind }) => kind === 'VirtualMachine') === true
    if (isOwned) throw deny.badRequest(`VMI ${call.namespace}/${metadata.name} is owned by a VM`)
    throw deny.badRequest(
      'Enable DeclarativeHotplugVolumes or HotplugVolumes feature gate to use this API.',
    )
  }

/** These two are the subresources of a VMI. */
export const addInstanceVolume = refuseOwned('v1.AddVolumeOptions')
export const removeInstanceVolume = refuseOwned('v1.RemoveVolumeOptions')
