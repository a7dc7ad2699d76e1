import { type GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { restoreRefusal } from '../../../domain/volume-snapshot/volume-snapshot.ts'
import { createVolumeSnapshot } from '../../../usecases/volume-snapshot/create-volume-snapshot.ts'
import { deleteVolumeSnapshot } from '../../../usecases/volume-snapshot/delete-volume-snapshot.ts'
import { type FieldContext } from '../context.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { selectedFields, selectedFieldsOfOne } from '../../../engine/graphql/selection.ts'
import {
  CreateVolumeSnapshotInput,
  DeleteVolumeSnapshotInput,
  VolumeSnapshotFilter,
  VolumeSnapshotOrder,
} from './volume-snapshot-inputs.ts'
import {
  CreateVolumeSnapshotPayload,
  DeleteVolumeSnapshotPayload,
  VolumeSnapshot,
  VolumeSnapshotConnection,
  VolumeSnapshotRefusals,
} from './volume-snapshot-types.ts'
import { boundsOf } from '../volume/volume.ts'
import { WaitSeconds } from '../wait.ts'
import {
  type RelatedObjects,
  idFieldsOf,
  itsTenant,
  relatedObjects,
} from '../node/related-objects.ts'
import { type VolumeSnapshotView } from '../../../domain/volume-snapshot/volume-snapshot.ts'

const volumeSnapshotObjects = {
  ...itsTenant,
  volume: { kind: 'volume', id: 'volumeId', description: 'The volume of which the snapshot is.' },
  schedule: {
    kind: 'snapshot_schedule',
    id: 'scheduleId',
    description: 'The schedule that took the snapshot.',
  },
} as const satisfies RelatedObjects<VolumeSnapshotView>

const derivedFields = { ...idFieldsOf(volumeSnapshotObjects), explanation: ['explanation'] }

@Resolver(() => VolumeSnapshot)
export class VolumeSnapshotResolver {
  @needs('volumes:read')
  @Query(() => VolumeSnapshot, {
    nullable: true,
    description: 'Finds a snapshot of a volume by its id; null when there is none.',
  })
  volumeSnapshot(
    @Ctx() { reads }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('id', () => ID) id: string,
  ) {
    return reads.volumeSnapshots.find(id, selectedFieldsOfOne(info, derivedFields))
  }

  @needs('volumes:read')
  @Query(() => VolumeSnapshotConnection, { description: 'The snapshots of volumes of the tenant.' })
  volumeSnapshots(
    @Ctx() { reads, pageOf }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => VolumeSnapshotFilter, { nullable: true }) filter?: VolumeSnapshotFilter,
    @Arg('orderBy', () => VolumeSnapshotOrder, { nullable: true }) orderBy?: VolumeSnapshotOrder,
  ) {
    return VolumeSnapshotConnection.read(reads.volumeSnapshots, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
      selected: selectedFields(info, derivedFields),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => VolumeSnapshotRefusals)
  refusals(@Root() snapshot: VolumeSnapshot): VolumeSnapshotRefusals {
    return { restore: restoreRefusal(snapshot)?.userMessage ?? null }
  }

  @needs('volumes:write')
  @Mutation(() => CreateVolumeSnapshotPayload, {
    description:
      'Takes a snapshot of a volume as it is now. Data that the guest has not written to the disk yet is not included.',
  })
  createVolumeSnapshot(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CreateVolumeSnapshotInput) input: CreateVolumeSnapshotInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => createVolumeSnapshot(op, input, boundsOf(berth)))
  }

  @needs('volumes:write')
  @Mutation(() => DeleteVolumeSnapshotPayload, {
    description: 'Deletes a snapshot of a volume. Volumes created from it remain.',
  })
  deleteVolumeSnapshot(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DeleteVolumeSnapshotInput) input: DeleteVolumeSnapshotInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => deleteVolumeSnapshot(op, input))
  }
}

export const VolumeSnapshotObjectsResolver = relatedObjects<VolumeSnapshotView>(
  VolumeSnapshot,
  volumeSnapshotObjects,
)
