import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { cause } from '../refusals.ts'

const field = 'Status.volumeRequests'

/** Validates hotplug requests in the status of a VM, the older API. Returns the first problem. */
export function volumeRequestCauses(vm: KubeObject): Cause[] {
  const requests = read.maps(read.status(vm).volumeRequests)
  const volumes = read.maps(read.at(vm.spec, 'template', 'spec', 'volumes'))
  for (const [index, request] of requests.entries()) {
    const found = requestCause(request, requests.slice(0, index), volumes)
    if (found) return [found]
  }
  return []
}

function requestCause(
  request: JsonMap,
  before: readonly JsonMap[],
  volumes: readonly JsonMap[],
): Cause | null {
  const { addVolumeOptions: added, removeVolumeOptions: removed } = request
  if (added !== undefined && removed !== undefined)
    return cause.wrong(
      field,
      'VolumeRequests require either addVolumeOptions or removeVolumeOptions to be set, not both',
    )
  if (added === undefined && removed === undefined)
    return cause.wrong(
      field,
      'VolumeRequests require one of either addVolumeOptions or removeVolumeOptions to be set',
    )
  const [key, what] =
    added === undefined
      ? (['removeVolumeOptions', 'RemoveVolume'] as const)
      : (['addVolumeOptions', 'AddVolume'] as const)
  const name = read.text(read.at(request[key], 'name'))
  if (before.some((other) => read.at(other[key], 'name') === name))
    return cause.wrong(field, `${what} request for [${name}] aleady exists`)
  return added === undefined ? null : addedCause(read.map(added), name, volumes)
}

function addedCause(
  { disk, volumeSource }: JsonMap,
  name: string,
  volumes: readonly JsonMap[],
): Cause | null {
  const why = whyNotPluggable(read.map(disk), name)
  if (why !== null) return cause.wrong(field, `AddVolume request for ${why}`)
  const taken = volumes.find((volume) => volume.name === name)
  if (!taken || isDeepStrictEqual(taken, { name, ...read.map(volumeSource) })) return null
  return cause.wrong(
    field,
    `AddVolume request for [${name}] conflicts with an existing volume of the same name on the vmi template.`,
  )
}

function whyNotPluggable(disk: JsonMap, name: string): string | null {
  const kind = (['disk', 'lun'] as const).find((each) => disk[each] !== undefined)
  if (kind === undefined) return `[${name}] requires diskDevice of type 'disk' or 'lun' to be used.`
  const bus = read.text(read.at(disk[kind], 'bus'))
  const [what, buses] =
    kind === 'disk' ? (['disk', ['scsi', 'virtio']] as const) : (['LUN', ['scsi']] as const)
  const allowedBuses = buses.map((each) => `'${each}'`).join(' or ')
  if (!buses.some((each) => each === bus))
    return `${what} [${name}] requires bus to be ${allowedBuses}. [${bus}] is not permitted.`
  return disk.dedicatedIOThread === true && bus !== 'virtio'
    ? `[${name}] requires virtio bus for IOThreads.`
    : null
}
