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
  /** Why the volume cannot be deleted now; null when it can. */
  refusal: Message | null
  items: readonly ImpactItem<VolumeImpactKind>[]
}

/** The objects that refer to the volume. */
interface References {
  /** The number of its snapshots. */
  snapshots: number
  /** The number of VM snapshots that contain it. */
  vmSnapshots: number
  schedules: readonly { name: string }[]
}

type DeletedVolume = Pick<VolumeView, 'name' | 'sizeGi'> & { refusal: Message | null }

/** Lists what a deletion of the volume removes, and what remains. */
export function volumeDeletionImpactOf(
  { name, sizeGi, refusal }: DeletedVolume,
  { snapshots, vmSnapshots, schedules }: References,
): VolumeDeletionImpact {
  const content = messageOf('impact.volume.content', { size: sizeGi })
  return {
    refusal,
    items: [
      item('content', 'lost', { name, sizeGi, sentence: content }),
      ...schedules.map(scheduleItem),
      item('name', 'released', {
        name,
        sentence: messageOf('impact.volume.name', { name }),
      }),
      ...(snapshots === 0 ? [] : [snapshotItem(snapshots)]),
      ...(vmSnapshots === 0 ? [] : [vmSnapshotItem(vmSnapshots)]),
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

const scheduleItem = ({ name }: { name: string }): Item =>
  item('snapshot_schedule', 'lost', {
    name,
    sentence: messageOf('impact.schedule', { name }),
  })

const snapshotItem = (count: number): Item =>
  item('volume_snapshot', 'kept', {
    sentence: messageOf('impact.volume.volume_snapshot', { n: count }),
  })

const vmSnapshotItem = (count: number): Item =>
  item('vm_snapshot', 'kept', {
    sentence: messageOf('impact.volume.vm_snapshot', { n: count }),
  })
