import { type ImpactItem } from '../vm/deletion-impact.ts'
import { type VolumeView } from './volume.ts'

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
  refusal: string | null
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

type Doomed = Pick<VolumeView, 'name' | 'sizeGi'> & { refusal: string | null }

/** What goes with a volume when it is deleted, and what stays. */
export function volumeDeletionImpactOf(
  { name, sizeGi, refusal }: Doomed,
  { snapshots, vmSnapshots, schedules }: Referring,
): VolumeDeletionImpact {
  const content = `Everything on its ${sizeGi} GiB is erased; nobody can bring it back.`
  return {
    refusal,
    items: [
      item('content', 'lost', { name, sizeGi, sentence: content }),
      ...schedules.map(endedSchedule),
      item('name', 'released', {
        name,
        sentence: `The name ${name} is free again for another volume of yours.`,
      }),
      ...(snapshots === 0 ? [] : [keptSnapshots(snapshots)]),
      ...(vmSnapshots === 0 ? [] : [heldBack(vmSnapshots)]),
      item('record', 'kept', {
        sentence: 'What was done with it stays in the records of operations and of who did what.',
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
    sentence: `The schedule ${name} ends; the snapshots that it has taken stay.`,
  })

const counted = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${one}s`

const keptSnapshots = (count: number): Item =>
  item('volume_snapshot', 'kept', {
    sentence: `${counted(count, 'snapshot')} of it ${count === 1 ? 'stays' : 'stay'}, and so does what was made from any; new volumes can be made from them.`,
  })

const heldBack = (count: number): Item =>
  item('vm_snapshot', 'kept', {
    sentence: `${counted(count, 'VM snapshot')} that ${count === 1 ? 'holds' : 'hold'} it can make new VMs, and can no longer be restored.`,
  })
