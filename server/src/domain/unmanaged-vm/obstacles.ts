import { Fault } from '../../engine/model/fault.ts'
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

/** Refuses to adopt a VM, and names everything that keeps it from being adopted. */
export function mustBeAdoptable(vm: Judged): void {
  const obstacles = obstaclesTo(vm)
  if (obstacles.length > 0)
    throw new Fault(
      'wrong_state',
      messageOf('unmanaged_vm.refused', { name: vm.name, obstacles: joined(obstacles) }),
    )
}

const joined = (sentences: readonly Message[]): Message =>
  sentences.reduceRight((rest, first) => messageOf('unmanaged_vm.sentences', { first, rest }))

/** True for a VM in the form that Berth gives to VMs. It can be adopted while it runs. */
export const isInOwnForm = ({ madeAs, found }: Pick<Judged, 'madeAs' | 'found'>): boolean =>
  madeAs !== null &&
  found.firmware.uuid === madeAs &&
  found.nics.every(({ name, mac }) => /^nic\d+$/.test(name) && mac !== null) &&
  found.disks.some(({ name, kind, source }) =>
    name === 'root' ? kind === 'image' || source === vmObjectNames.disk(madeAs) : false,
  )

/** The disk that becomes the root disk: the one of that name in a VM of Berth's form. */
export const rootDiskOf = (vm: Pick<Judged, 'madeAs' | 'found'>): FoundDisk | undefined =>
  vm.found.disks.find(isInOwnForm(vm) ? ({ name }) => name === 'root' : isVolumeDisk)

const isVolumeDisk = ({ kind, isCdrom }: FoundDisk): boolean => kind === 'volume' && !isCdrom

const mostLetters = 50

const isDnsLabel = (text: string): boolean =>
  text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)

const nameObstacles = ({ name }: Judged): Message[] =>
  isDnsLabel(name) && name.length <= mostLetters
    ? []
    : [messageOf('unmanaged_vm.name', { name, most: mostLetters })]

const settingObstacles = ({ settings, hasRunningField }: FoundVm): Message[] => [
  ...(settings.length === 0
    ? []
    : [messageOf('unmanaged_vm.settings', { fields: settings.join(', ') })]),
  ...(hasRunningField ? [messageOf('unmanaged_vm.running')] : []),
]

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
    ...(firmware.boot === 'bios' && isWindows ? [messageOf('unmanaged_vm.bios')] : []),
    ...(firmware.tpm === 'persistent' ? [messageOf('unmanaged_vm.tpm')] : []),
  ]
}

function diskObstacles(vm: Judged): Message[] {
  const root = rootDiskOf(vm)
  if (!root) return [messageOf('unmanaged_vm.no_root')]
  return vm.found.disks.flatMap((disk) => (disk === root ? rootObstacles(vm, root) : further(disk)))
}

function rootObstacles({ sharedClaims, madeAs }: Judged, root: FoundDisk): Message[] {
  const { name: disk, source, sizeGi, claimRowId, isDataVolume } = root
  if (root.kind !== 'volume' || source === null) return []
  if (!isDnsLabel(source)) return [messageOf('unmanaged_vm.volume_name', { volume: source })]
  if (sizeGi === null) return [messageOf('unmanaged_vm.no_storage', { disk, volume: source })]
  const isShared = sharedClaims.includes(source) || (claimRowId !== null && claimRowId !== madeAs)
  return [
    ...(isShared ? [messageOf('unmanaged_vm.shared', { disk, volume: source })] : []),
    ...(isDataVolume ? [] : [messageOf('unmanaged_vm.no_data_volume', { disk, volume: source })]),
  ]
}

const further = ({ kind, name: disk }: FoundDisk): Message[] =>
  kind === 'cloud_init' ? [] : [messageOf('unmanaged_vm.further_disk', { disk })]

const nicObstacles = ({ nics }: FoundVm): Message[] => [
  ...(nics.length === 0 ? [messageOf('unmanaged_vm.no_nic')] : []),
  ...nics.flatMap(({ name: nic, network }) =>
    network === null ? [] : [messageOf('unmanaged_vm.network', { nic, network })],
  ),
]
