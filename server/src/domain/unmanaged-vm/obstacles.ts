import { type Message, messageOf } from '../../engine/model/message.ts'
import { vmObjectNames } from '../vm/object-names.ts'
import { type FoundDisk, type FoundVm, type UnmanagedVmView } from './unmanaged-vm.ts'

type Judged = Pick<UnmanagedVmView, 'name' | 'madeAs' | 'found' | 'sharedClaims'>

/**
 * Lists everything that keeps a VM from being adopted, each with its remedy. A VM without an
 * obstacle becomes a VM of Berth without losing anything.
 */
export const obstaclesTo = (vm: Judged): Message[] => [
  ...nameObstacles(vm),
  ...settingObstacles(vm.found),
  ...sizeObstacles(vm.found),
  ...formObstacles(vm),
  ...diskObstacles(vm),
  ...nicObstacles(vm.found),
]

/** True for a VM in the form that Berth gives to VMs. It can be adopted while it runs. */
export const isInOwnForm = ({ madeAs, found }: Pick<Judged, 'madeAs' | 'found'>): boolean =>
  madeAs !== null &&
  found.firmware.uuid === madeAs &&
  found.nics.every(({ name, mac }) => /^nic\d+$/.test(name) && mac !== null) &&
  found.disks.some(({ name, kind, source }) =>
    name === 'root' ? kind === 'image' || source === vmObjectNames.disk(madeAs) : false,
  )

/** The disk that becomes the root disk: of a VM in Berth's form the one of that name. */
export const rootDiskOf = ({ found }: Pick<Judged, 'found'>): FoundDisk | undefined =>
  found.disks.find(({ name }) => name === 'root') ?? found.disks.find(isVolumeDisk)

const isVolumeDisk = ({ kind, isCdrom }: FoundDisk): boolean => kind === 'volume' && !isCdrom

const mostLetters = 50

const nameObstacles = ({ name }: Judged): Message[] =>
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) && name.length <= mostLetters
    ? []
    : [messageOf('unmanaged_vm.name', { name, most: mostLetters })]

const settingObstacles = ({ settings }: FoundVm): Message[] =>
  settings.length === 0 ? [] : [messageOf('unmanaged_vm.settings', { fields: settings.join(', ') })]

const sizeObstacles = ({ cpu, memoryMi, settings }: FoundVm): Message[] =>
  memoryMi === null && !settings.includes('spec.instancetype') && cpu !== null
    ? [messageOf('unmanaged_vm.memory')]
    : []

/** Berth gives a VM of another form its own form, which a running guest would not survive. */
function formObstacles(vm: Judged): Message[] {
  if (isInOwnForm(vm)) return []
  const { power, hasVmi, firmware, isWindows } = vm.found
  return [
    ...(power === 'on' || hasVmi ? [messageOf('unmanaged_vm.on')] : []),
    ...(firmware.boot === 'efi' && !isWindows ? [messageOf('unmanaged_vm.efi')] : []),
    ...(firmware.tpm === 'persistent' ? [messageOf('unmanaged_vm.tpm')] : []),
  ]
}

function diskObstacles(vm: Judged): Message[] {
  const root = rootDiskOf(vm)
  if (!root) return [messageOf('unmanaged_vm.no_root')]
  return vm.found.disks.flatMap((disk) => (disk === root ? rootObstacles(vm, root) : further(disk)))
}

function rootObstacles({ sharedClaims, madeAs }: Judged, root: FoundDisk): Message[] {
  const { kind, name: disk, source, sizeGi, claimRowId } = root
  if (kind !== 'volume' || source === null)
    return kind === 'image' ? [] : [messageOf('unmanaged_vm.disk_kind', { disk })]
  if (sizeGi === null) return [messageOf('unmanaged_vm.no_storage', { disk, volume: source })]
  const isShared = sharedClaims.includes(source) || (claimRowId !== null && claimRowId !== madeAs)
  return isShared ? [messageOf('unmanaged_vm.shared', { disk, volume: source })] : []
}

const further = ({ kind, name: disk }: FoundDisk): Message[] =>
  kind === 'cloud_init' ? [] : [messageOf('unmanaged_vm.further_disk', { disk })]

const nicObstacles = ({ nics }: FoundVm): Message[] => [
  ...(nics.length === 0 ? [messageOf('unmanaged_vm.no_nic')] : []),
  ...nics.flatMap(({ name: nic, network }) =>
    network === null ? [] : [messageOf('unmanaged_vm.network', { nic, network })],
  ),
]
