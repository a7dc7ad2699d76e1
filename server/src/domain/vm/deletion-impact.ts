import { type NicView } from '../nic/nic.ts'
import { refusalOf } from './lifecycle.ts'
import { type VmState } from './state.ts'
import { type VolumeView } from '../volume/volume.ts'
import { type VmView } from './vm.ts'

export const impactKinds = [
  'running_state',
  'root_disk',
  'guest_settings',
  'volume',
  'snapshot_schedule',
  'vm_snapshot',
  'address',
  'name',
  'template',
  'ssh_keys',
  'record',
] as const
export type ImpactKind = (typeof impactKinds)[number]

/** Lost is for good; released is free for others; kept stays as it is. */
export const impactFates = ['lost', 'released', 'kept'] as const
export type ImpactFate = (typeof impactFates)[number]

export interface ImpactItem<Kind = ImpactKind> {
  kind: Kind
  fate: ImpactFate
  /** Of the thing; null where it has none. */
  name: string | null
  sizeGi: number | null
  /** The same for people. */
  sentence: string
}

export interface DeletionImpact {
  isProtected: boolean
  /** Why it cannot be deleted now; null when it can. */
  refusal: string | null
  items: readonly ImpactItem[]
}

type Doomed = Pick<
  VmView,
  | 'name'
  | 'state'
  | 'busyWith'
  | 'deleting'
  | 'deleteProtection'
  | 'rootDisk'
  | 'bootDiskSizeGi'
  | 'templateId'
  | 'templateName'
>

/** What the machine has beside itself. */
interface Belongings {
  volumes: readonly Pick<VolumeView, 'name' | 'sizeGi'>[]
  schedules: readonly { name: string }[]
  /** How many there are of it. */
  snapshots: number
  nics: readonly Pick<NicView, 'mac' | 'address' | 'seenAddress'>[]
}

/** What goes with a machine when it is deleted, and what stays. */
export function deletionImpactOf(
  vm: Doomed,
  { volumes, schedules, snapshots, nics }: Belongings,
): DeletionImpact {
  const { name, deleting, deleteProtection: isProtected, busyWith } = vm
  const state = deleting ? 'Deleting' : vm.state
  return {
    isProtected,
    refusal: refusalOf('delete', { name, state, isProtected, busyWith }),
    items: [
      ...runningState(state),
      rootDisk(vm),
      guestSettings,
      ...volumes.map(keptVolume),
      ...schedules.map(endedSchedule),
      ...keptSnapshots(snapshots),
      ...nics.flatMap(addresses),
      ...names(vm),
      ...template(vm),
      sshKeys,
      record,
    ],
  }
}

const item = (
  kind: ImpactKind,
  fate: ImpactFate,
  rest: Pick<ImpactItem, 'sentence'> & Partial<ImpactItem>,
): ImpactItem => ({
  kind,
  fate,
  name: null,
  sizeGi: null,
  ...rest,
})

const isOff: readonly VmState[] = ['Pending', 'Provisioning', 'Stopped', 'Lost']

function runningState(state: VmState): ImpactItem[] {
  if (isOff.includes(state)) return []
  const sentence =
    state === 'Running' || state === 'Migrating'
      ? 'It runs now: it is shut down first, and whatever its guest has not written to a disk by then is lost.'
      : 'It may hold something in memory: whatever its guest has not written to a disk is lost.'
  return [item('running_state', 'lost', { sentence })]
}

function rootDisk({ rootDisk: kind, bootDiskSizeGi: sizeGi }: Doomed): ImpactItem {
  if (kind === 'ephemeral')
    return item('root_disk', 'lost', {
      name: 'root',
      sentence: 'Its root disk forgets with each stop, and is forgotten with the VM.',
    })
  const sentence = `Its root disk of ${sizeGi} GiB is erased with everything on it; nobody can bring it back.`
  return item('root_disk', 'lost', { name: 'root', sizeGi, sentence })
}

const keptVolume = ({ name, sizeGi }: Belongings['volumes'][number]): ImpactItem =>
  item('volume', 'kept', {
    name,
    sizeGi,
    sentence: `The volume ${name} is detached and stays, with everything on it.`,
  })

const endedSchedule = ({ name }: Belongings['schedules'][number]): ImpactItem =>
  item('snapshot_schedule', 'lost', {
    name,
    sentence: `The schedule ${name} ends; the snapshots that it has taken stay.`,
  })

function keptSnapshots(count: number): ImpactItem[] {
  if (count === 0) return []
  const subject = count === 1 ? 'Its snapshot stays' : `Its ${count} snapshots stay`
  return [
    item('vm_snapshot', 'kept', {
      sentence: `${subject}: new VMs can be made from them, but this one can no longer be brought back.`,
    }),
  ]
}

const guestSettings = item('guest_settings', 'lost', {
  sentence: 'Its cloud-init settings are erased: users, keys and passwords that it was made with.',
})

const addresses = ({ address, seenAddress, mac }: Belongings['nics'][number]): ImpactItem[] =>
  [address ?? seenAddress, mac].flatMap((name) =>
    name === null
      ? []
      : item('address', 'released', {
          name,
          sentence: `Its address ${name} is given back; another VM may get it.`,
        }),
  )

const names = ({ name }: Doomed): ImpactItem[] => [
  item('name', 'released', {
    name,
    sentence: `The name ${name} is free again for another VM of yours.`,
  }),
]

const template = ({ templateId, templateName: name }: Doomed): ImpactItem[] =>
  templateId === null
    ? []
    : [
        item('template', 'kept', {
          name,
          sentence: `The template ${name} that it was made from stays.`,
        }),
      ]

const sshKeys = item('ssh_keys', 'kept', {
  sentence: 'The SSH keys that are registered with you stay.',
})
const record = item('record', 'kept', {
  sentence: 'What was done with it stays in the records of operations and of who did what.',
})
