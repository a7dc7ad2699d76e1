import { type NicView } from '../nic/nic.ts'
import { refusalOf } from './lifecycle.ts'
import { type VmState } from './state.ts'
import { type VolumeView } from '../volume/volume.ts'
import { type VmView } from './vm.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

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

/** `lost`: deleted for good; `released`: free for other resources; `kept`: unchanged. */
export const impactFates = ['lost', 'released', 'kept'] as const
export type ImpactFate = (typeof impactFates)[number]

export interface ImpactItem<Kind = ImpactKind> {
  kind: Kind
  fate: ImpactFate
  /** The name of the resource; null when it has none. */
  name: string | null
  sizeGi: number | null
  /** The impact as a sentence for users. */
  sentence: Message
}

export interface DeletionImpact {
  isProtected: boolean
  /** Why the VM cannot be deleted now; null when it can. */
  refusal: Message | null
  items: readonly ImpactItem[]
}

type DeletedVm = Pick<
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

/** The resources that belong to the VM or refer to it. */
interface Belongings {
  volumes: readonly Pick<VolumeView, 'name' | 'sizeGi'>[]
  schedules: readonly { name: string }[]
  /** The number of its snapshots. */
  snapshots: number
  nics: readonly Pick<NicView, 'mac' | 'address' | 'seenAddress'>[]
}

/** Lists what a deletion of the VM removes, and what remains. */
export function deletionImpactOf(
  vm: DeletedVm,
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
      ...volumes.map(volumeItem),
      ...schedules.map(scheduleItem),
      ...snapshotItems(snapshots),
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

const offStates: readonly VmState[] = ['Pending', 'Provisioning', 'Stopped', 'Lost']

function runningState(state: VmState): ImpactItem[] {
  if (offStates.includes(state)) return []
  const sentence =
    state === 'Running' || state === 'Migrating'
      ? messageOf('impact.vm.running_state.running')
      : messageOf('impact.vm.running_state')
  return [item('running_state', 'lost', { sentence })]
}

function rootDisk({ rootDisk: kind, bootDiskSizeGi: sizeGi }: DeletedVm): ImpactItem {
  if (kind === 'ephemeral')
    return item('root_disk', 'lost', {
      name: 'root',
      sentence: messageOf('impact.vm.root_disk'),
    })
  const sentence = messageOf('impact.vm.root_disk.sized', { size: sizeGi })
  return item('root_disk', 'lost', { name: 'root', sizeGi, sentence })
}

const volumeItem = ({ name, sizeGi }: Belongings['volumes'][number]): ImpactItem =>
  item('volume', 'kept', {
    name,
    sizeGi,
    sentence: messageOf('impact.vm.volume', { name }),
  })

const scheduleItem = ({ name }: Belongings['schedules'][number]): ImpactItem =>
  item('snapshot_schedule', 'lost', {
    name,
    sentence: messageOf('impact.schedule', { name }),
  })

function snapshotItems(count: number): ImpactItem[] {
  if (count === 0) return []
  return [
    item('vm_snapshot', 'kept', { sentence: messageOf('impact.vm.vm_snapshot', { n: count }) }),
  ]
}

const guestSettings = item('guest_settings', 'lost', {
  sentence: messageOf('impact.vm.guest_settings'),
})

const addresses = ({ address, seenAddress, mac }: Belongings['nics'][number]): ImpactItem[] =>
  [address ?? seenAddress, mac].flatMap((name) =>
    name === null
      ? []
      : item('address', 'released', {
          name,
          sentence: messageOf('impact.vm.address', { name }),
        }),
  )

const names = ({ name }: DeletedVm): ImpactItem[] => [
  item('name', 'released', {
    name,
    sentence: messageOf('impact.vm.name', { name }),
  }),
]

const template = ({ templateId, templateName: name }: DeletedVm): ImpactItem[] =>
  templateId === null
    ? []
    : [
        item('template', 'kept', {
          name,
          sentence: messageOf('impact.vm.template', { name }),
        }),
      ]

const sshKeys = item('ssh_keys', 'kept', {
  sentence: messageOf('impact.vm.ssh_keys'),
})
const record = item('record', 'kept', {
  sentence: messageOf('impact.record'),
})
