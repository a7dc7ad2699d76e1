import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { type ImpactFate, type ImpactItem } from '../../../domain/vm/deletion-impact.ts'
import {
  type VolumeDeletionImpact as ImpactView,
  type VolumeImpactKind,
  volumeDeletionImpactOf,
  volumeImpactKinds,
} from '../../../domain/volume/deletion-impact.ts'
import { volumeRefusal } from '../../../domain/volume/refusals.ts'
import { type GraphRequest } from '../context.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject } from '../../../engine/graphql/needs.ts'
import { schedulesOf } from '../snapshot-schedule/snapshot-schedule.ts'
import { FateEnum } from '../vm/vm-deletion-impact.ts'
import { Volume } from './volume-types.ts'
import { type Message } from '../../../engine/model/message.ts'

const KindEnum = enumOf('VolumeDeletionImpactKind', volumeImpactKinds, {
  description: 'An effect of the deletion of a volume.',
  values: {
    content: 'The data on the volume is deleted.',
    volume_snapshot: 'The snapshots of the volume remain.',
    vm_snapshot: 'VM snapshots with the volume can still be cloned, but not restored any more.',
    snapshot_schedule: 'A snapshot schedule of the volume ends.',
    name: 'The name becomes free for another volume of the tenant.',
    record: 'The operations and audit records of the volume remain.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'An object that is lost, released or kept when a volume is deleted.',
})
class VolumeDeletionImpactItem implements ImpactItem<VolumeImpactKind> {
  @Field(() => KindEnum, { description: 'The kind of the object.' })
  kind!: VolumeImpactKind
  @Field(() => FateEnum, { description: 'Tells if the object is lost, released or kept.' })
  fate!: ImpactFate
  @Field(() => String, { nullable: true, description: 'The name of the object.' }) name!:
    string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The size in GiB; null for an object without a size.',
  })
  sizeGi!: number | null
  @Field(() => String, { description: 'The impact as a sentence.' }) sentence!: Message
}

@ObjectType({
  simpleResolvers: true,
  description: 'Objects that are deleted with a volume, and objects that remain.',
})
class VolumeDeletionImpact implements ImpactView {
  @Field(() => String, {
    nullable: true,
    description: 'Why the volume cannot be deleted now; null when it can.',
  })
  refusal!: Message | null
  @Field(() => [VolumeDeletionImpactItem], {
    description: 'The affected objects, and objects that remain.',
  })
  items!: readonly ImpactItem<VolumeImpactKind>[]
}

@Resolver(() => Volume)
export class VolumeDeletionImpactResolver {
  @sameAccessAsObject()
  @FieldResolver(() => VolumeDeletionImpact, {
    description: 'Shown to the user before the deletion.',
  })
  async deletionImpact(@Ctx() request: GraphRequest, @Root() volume: Volume): Promise<ImpactView> {
    const { id } = volume
    const [snapshots = 0, vmSnapshots = 0, schedules = []] = await Promise.all([
      snapshotsOfVolume(request, id),
      vmSnapshotsWith(request, id),
      schedulesOf(request, id),
    ])
    const refusal =
      volumeRefusal('delete', volume, request.berth.storageClasses())?.userMessage ?? null
    return volumeDeletionImpactOf({ ...volume, refusal }, { snapshots, vmSnapshots, schedules })
  }
}

const snapshotsOfVolume = batchRead(({ berth }, ids) =>
  berth.reads('platform').volumeSnapshots.countsOf(ids),
)
const vmSnapshotsWith = batchRead(({ berth }, ids) =>
  berth.reads('platform').vmSnapshots.countsWith(ids),
)
