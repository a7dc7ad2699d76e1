import { type ImpactItem } from '../vm/deletion-impact.ts'
import { type VolumeView } from './volume.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const volumeImpactKinds = [
  'content',
  'volume_snapshot',
  'vm_snapshot',
  'snapshot_schedule',
  'name',
  'record',
] as const
export type VolumeImpactKind = (typeof volumeImpactKinds)[number]

export interface VolumeDeletionImpact {
  /** Why it cannot be deleted now; null when it can. */
  refusal: Message | null
  items: readonly ImpactItem<VolumeImpactKind>[]
}

/** What refers to the volume. */
interface Referring {
  /** How many there are of it. */
  snapshots: number
  /** How many of VMs hold it. */
  vmSnapshots: number
  schedules: readonly { name: string }[]
}

type Doomed = Pick<VolumeView, 'name' | 'sizeGi'> & { refusal: Message | null }

/** What goes with a volume when it is deleted, and what stays. */
export function volumeDeletionImpactOf(
  { name, sizeGi, refusal }: Doomed,
  { snapshots, vmSnapshots, schedules }: Referring,
): VolumeDeletionImpact {
  const content = messageOf('impact.volume.content', { size: sizeGi })
  return {
    refusal,
    items: [
      item('content', 'lost', { name, sizeGi, sentence: content }),
      ...schedules.map(endedSchedule),
      item('name', 'released', {
        name,
        sentence: messageOf('impact.volume.name', { name }),
      }),
      ...(snapshots === 0 ? [] : [keptSnapshots(snapshots)]),
      ...(vmSnapshots === 0 ? [] : [heldBack(vmSnapshots)]),
      item('record', 'kept', {
        sentence: messageOf('impact.record'),
      }),
    ],
  }
}

type Item = ImpactItem<VolumeImpactKind>

const item = (
  kind: VolumeImpactKind,
  fate: Item['fate'],
  rest: Pick<Item, 'sentence'> & Partial<Item>,
): Item => ({
  kind,
  fate,
  name: null,
  sizeGi: null,
  ...rest,
})

const endedSchedule = ({ name }: { name: string }): Item =>
  item('snapshot_schedule', 'lost', {
    name,
    sentence: messageOf('impact.schedule', { name }),
  })

const keptSnapshots = (count: number): Item =>
  item('volume_snapshot', 'kept', {
    sentence: messageOf('impact.volume.volume_snapshot', { n: count }),
  })

const heldBack = (count: number): Item =>
  item('vm_snapshot', 'kept', {
    sentence: messageOf('impact.volume.vm_snapshot', { n: count }),
  })
