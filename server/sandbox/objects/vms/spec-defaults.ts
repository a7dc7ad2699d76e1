import { type JsonMap } from '../types.ts'
import { read } from '../read.ts'
import { canonical, numberOf } from '../../quantity.ts'
import { type ClusterConfig, machineTypeFor } from './cluster-config.ts'
import { isUnset, listIn, setUnset, within } from './draft.ts'

/**
 * Sets KubeVirt's defaults in a draft of a VMI spec. A VM is validated with them, but stored
 * without.
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

/** Without a topology, the requested CPUs become sockets. */
function setTopology(spec: JsonMap): void {
  const cpu = within(spec, 'domain', 'cpu')
  if ([cpu.cores, cpu.sockets, cpu.threads].some((each) => each !== undefined && each !== 0)) return
  const { requests, limits } = read.map(read.at(spec, 'domain', 'resources'))
  const requestedCpus = numberOf(read.at(limits, 'cpu') ?? read.at(requests, 'cpu'))
  Object.assign(cpu, {
    sockets: requestedCpus === null ? 1 : Math.ceil(requestedCpus),
    cores: 1,
    threads: 1,
  })
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

/** Adds the pod network when the spec names no network and does not disable it. */
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

/** Adds a disk for each volume without a disk or filesystem. */
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

/** Sets the default device type and bus of disks. */
export function setDiskTargets(spec: JsonMap): void {
  const bus = busFor(read.text(spec.architecture))
  for (const disk of read.maps(read.at(spec, 'domain', 'devices', 'disks'))) {
    if (isUnset(disk.disk) && isUnset(disk.cdrom) && isUnset(disk.lun)) disk.disk = {}
    for (const kind of ['disk', 'cdrom', 'lun'])
      if (disk[kind] !== undefined) setUnset(read.map(disk[kind]), { bus })
    if (disk.cdrom !== undefined) setUnset(read.map(disk.cdrom), { readonly: true, tray: 'closed' })
  }
}
