import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import {
  type Bus,
  type GuestVmi,
  type GuestVmiDisk,
  type GuestVmiNic,
  type Seed,
} from '../../../guests/guest.ts'
import { numberOf } from '../../../quantity.ts'
import { type Client } from '../../client.ts'
import { read } from '../../../objects/read.ts'
import { join } from 'node:path'
import { claimNameOf } from '../../hotplug/volume-source.ts'
import { hasSource } from '../../nics/nic-sources.ts'
import { interfacesOf, nicStatusesOf } from '../../nics/nics.ts'

const gib = 2 ** 30

/** The guest that a VMI describes, with the contents of the objects that it refers to. */
export function guestSpecOf(client: Client, vmi: KubeObject): GuestVmi {
  const { name, namespace = '', uid = '' } = vmi.metadata
  const spec = read.spec(vmi)
  const disks = disksOf(client, vmi)
  const { sockets = 1, cores = 1, threads = 1 } = read.map(read.at(spec, 'domain', 'cpu'))
  const memory =
    read.at(spec, 'domain', 'memory', 'guest') ??
    read.at(spec, 'domain', 'resources', 'requests', 'memory')
  return {
    id: uid,
    namespace,
    name,
    disks,
    hostname: read.text(spec.hostname) || name,
    image: imageOf(client, vmi),
    cpus: Number(sockets) * Number(cores) * Number(threads),
    memoryBytes: numberOf(memory) ?? gib,
    seed: seedOf(client, vmi),
    bootDisk: bootDiskOf(spec, disks),
    nics: nicsOf(vmi),
  }
}

const volumesIn = (spec: JsonMap): JsonMap[] => read.maps(spec.volumes)
const devicesIn = (spec: JsonMap): JsonMap[] =>
  read.maps(read.at(spec, 'domain', 'devices', 'disks'))
const isSeed = (volume: JsonMap): boolean =>
  volume.cloudInitNoCloud !== undefined || volume.cloudInitConfigDrive !== undefined

/** Names and URLs that hint at the image on the disks, in the order of the volumes. */
const imageOf = (client: Client, vmi: KubeObject): string =>
  volumesIn(read.spec(vmi))
    .filter((volume) => !isSeed(volume))
    .map(
      (volume) =>
        read.text(read.at(volume.containerDisk, 'image')) ||
        importedTo(client, vmi.metadata.namespace, claimNameOf(volume)),
    )
    .join(' ')

/** The import URL of a PVC's content, if known, and the name of the PVC. */
function importedTo(client: Client, namespace: string | undefined, claim: string): string {
  const dataVolume = client.get('datavolumes.cdi.kubevirt.io', namespace, claim)
  const { registry, http } = read.map(dataVolume && read.spec(dataVolume).source)
  return [read.text(read.at(registry, 'url')) || read.text(read.at(http, 'url')), claim]
    .filter(Boolean)
    .join(' ')
}

/** The disks that are attached to the guest, with their device names. */
export function disksOf(client: Client, vmi: KubeObject): GuestVmiDisk[] {
  const spec = read.spec(vmi)
  const targets = new Map(
    read.maps(read.status(vmi).volumeStatus).map(({ name, target }) => [name, read.text(target)]),
  )
  return devicesIn(spec).flatMap((disk): GuestVmiDisk[] => {
    const volume = volumesIn(spec).find(({ name }) => name === disk.name)
    const target = targets.get(disk.name ?? '') ?? ''
    if (!volume || target === '') return []
    const kind = disk.cdrom ? 'cdrom' : disk.lun ? 'lun' : 'disk'
    const bus = read.text(read.at(disk.cdrom ?? disk.lun ?? disk.disk, 'bus')) || 'virtio'
    return [
      {
        name: read.text(disk.name),
        target,
        kind,
        serial: read.text(disk.serial),
        // The schema and the webhook allow only these buses.
        bus: bus as Bus,
        ...contentOf(client, vmi, volume),
      },
    ]
  })
}

function contentOf(
  client: Client,
  vmi: KubeObject,
  volume: JsonMap,
): Pick<GuestVmiDisk, 'bytes' | 'path'> {
  const capacity = read.at(volume.emptyDisk, 'capacity')
  if (capacity !== undefined) return { bytes: numberOf(capacity) ?? gib, path: null }
  const claim = client.get('persistentvolumeclaims', vmi.metadata.namespace, claimNameOf(volume))
  if (!claim) return { bytes: isSeed(volume) ? 2 ** 20 : 10 * gib, path: null }
  const bytes = numberOf(read.at(claim.status, 'capacity', 'storage')) ?? gib
  // The content has the UID of the PVC for which the volume was created, as the volume's name does.
  const content = /^pvc-([0-9a-f-]{36})$/.exec(read.text(read.spec(claim).volumeName))?.[1]
  const { disks } = client.world
  return { bytes, path: disks === undefined || content === undefined ? null : join(disks, content) }
}

function bootDiskOf(spec: JsonMap, disks: readonly GuestVmiDisk[]): string {
  const ordered = [...devicesIn(spec)].sort(
    (a, b) => Number(a.bootOrder ?? Infinity) - Number(b.bootOrder ?? Infinity) || 0,
  )
  const bootable = ordered.flatMap(
    ({ name }) => disks.find((disk) => disk.name === name && disk.kind === 'disk') ?? [],
  )
  const seeds = new Set(
    volumesIn(spec)
      .filter(isSeed)
      .map(({ name }) => name),
  )
  return bootable.find(({ name }) => !seeds.has(name))?.target ?? 'vda'
}

function seedOf(client: Client, vmi: KubeObject): Seed | null {
  const volume = volumesIn(read.spec(vmi)).find(isSeed)
  if (!volume) return null
  const source = volume.cloudInitNoCloud === undefined ? 'ConfigDrive' : 'NoCloud'
  const seed = read.map(volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive)
  const text = (kind: 'userData' | 'networkData'): string => {
    const secret = read.text(
      read.at(kind === 'userData' ? seed.secretRef : seed.networkDataSecretRef, 'name'),
    )
    const secretObject =
      secret === '' ? undefined : client.get('secrets', vmi.metadata.namespace, secret)
    const data = read.map(secretObject?.data)
    const encoded =
      read.text(seed[`${kind}Base64`]) ||
      read.text(data[kind.toLowerCase()]) ||
      read.text(data[kind])
    return read.text(seed[kind]) || Buffer.from(encoded, 'base64').toString('utf8')
  }
  return { source, userData: text('userData'), networkData: text('networkData') }
}

/** The NICs that are attached to the guest. */
export function nicsOf(vmi: KubeObject): GuestVmiNic[] {
  const attached = nicStatusesOf(vmi).filter((status) => hasSource(status, 'domain'))
  return interfacesOf(vmi).flatMap((each): GuestVmiNic[] => {
    const name = read.text(each.name)
    const status = attached.find((one) => one.name === name)
    if (!status) return []
    const podAddress = read.text(status.ipAddress)
    const address = each.masquerade === undefined ? podAddress : behindMasquerade
    return [{ name, mac: read.text(status.mac), address: address === '' ? null : address }]
  })
}

/** The address that KubeVirt gives every guest behind masquerade. */
const behindMasquerade = '10.0.2.2/24'
