import { type JsonMap } from '../types.ts'
import { read } from '../read.ts'
import { canonical, numberOf } from '../../quantity.ts'
import { type ClusterConfig, machineTypeFor } from './cluster-config.ts'
import { isUnset, listIn, setUnset, within } from './draft.ts'

/**
 * What an instance gets that is not asked for, in a draft of its spec. A VM is judged as if it had
 * them, too, but does not keep them.
 */
export function setSpecDefaults(spec: JsonMap, config: ClusterConfig): void {
  setUnset(spec, { architecture: config.architecture })
  setUnset(within(spec, 'domain', 'machine'), {
    type: machineTypeFor(read.text(spec.architecture)),
  })
  setRequests(spec)
  setGuestMemory(spec)
  setTopology(spec)
  setPullPolicies(spec)
  setUnset(spec, { evictionStrategy: config.evictionStrategy })
  setDefaultNetwork(spec, config)
  setVolumeDisks(spec)
}

const isSome = (quantity: unknown): boolean => (numberOf(quantity) ?? 0) !== 0

function setRequests(spec: JsonMap): void {
  const resources = within(spec, 'domain', 'resources')
  const limit = read.at(resources, 'limits', 'cpu')
  if (isSome(limit) && !isSome(read.at(resources, 'requests', 'cpu')))
    within(resources, 'requests').cpu = limit
}

function setGuestMemory(spec: JsonMap): void {
  const memory = within(spec, 'domain', 'memory')
  const { requests, limits } = read.map(read.at(spec, 'domain', 'resources'))
  const candidates = [read.at(requests, 'memory'), read.at(limits, 'memory')].filter(isSome)
  const pageSize = read.at(memory, 'hugepages', 'pageSize')
  const guest = candidates[0] ?? (isSome(pageSize) ? pageSize : undefined)
  if (guest !== undefined) setUnset(memory, { guest: canonical(guest) })
}

/**
 * Whoever says nothing of sockets, cores and threads gets as many sockets as CPUs are asked for.
 */
function setTopology(spec: JsonMap): void {
  const cpu = within(spec, 'domain', 'cpu')
  if ([cpu.cores, cpu.sockets, cpu.threads].some((each) => each !== undefined && each !== 0)) return
  const { requests, limits } = read.map(read.at(spec, 'domain', 'resources'))
  const asked = numberOf(read.at(limits, 'cpu') ?? read.at(requests, 'cpu'))
  Object.assign(cpu, { sockets: asked === null ? 1 : Math.ceil(asked), cores: 1, threads: 1 })
}

function setPullPolicies(spec: JsonMap): void {
  for (const { containerDisk } of read.maps(spec.volumes)) {
    const disk = read.map(containerDisk)
    const image = read.text(disk.image)
    const isMoving = image.endsWith(':latest') || !/[:@]/.test(image)
    if (containerDisk !== undefined)
      setUnset(disk, { imagePullPolicy: isMoving ? 'Always' : 'IfNotPresent' })
  }
}

/** The pod network, for whoever names no network and does not refuse one. */
export function setDefaultNetwork(
  spec: JsonMap,
  { defaultBinding }: Pick<ClusterConfig, 'defaultBinding'>,
): void {
  const devices = within(spec, 'domain', 'devices')
  if (devices.autoattachPodInterface === false) return
  if (read.maps(spec.networks).length > 0 || read.maps(devices.interfaces).length > 0) return
  devices.interfaces = [{ name: 'default', [defaultBinding]: {} }]
  spec.networks = [{ name: 'default', pod: {} }]
}

/** Volumes that nothing is mapped to become disks. */
export function setVolumeDisks(spec: JsonMap): void {
  const devices = within(spec, 'domain', 'devices')
  const mapped = new Set(
    [...read.maps(devices.disks), ...read.maps(devices.filesystems)].map(({ name }) => name),
  )
  const unmapped = read.maps(spec.volumes).filter(({ name }) => !mapped.has(name))
  if (unmapped.length > 0) listIn(devices, 'disks').push(...unmapped.map(({ name }) => ({ name })))
}

const busFor = (architecture: string): string =>
  architecture === 'arm64' || architecture === 's390x' ? 'virtio' : 'sata'

/** A disk is a plain one on the usual bus until somebody says otherwise. */
export function setDiskTargets(spec: JsonMap): void {
  const bus = busFor(read.text(spec.architecture))
  for (const disk of read.maps(read.at(spec, 'domain', 'devices', 'disks'))) {
    if (isUnset(disk.disk) && isUnset(disk.cdrom) && isUnset(disk.lun)) disk.disk = {}
    for (const kind of ['disk', 'cdrom', 'lun'])
      if (disk[kind] !== undefined) setUnset(read.map(disk[kind]), { bus })
    if (disk.cdrom !== undefined) setUnset(read.map(disk.cdrom), { readonly: true, tray: 'closed' })
  }
}
