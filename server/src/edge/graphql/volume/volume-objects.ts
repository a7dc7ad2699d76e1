import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { type VolumeSnapshotView } from '../../../domain/volume-snapshot/volume-snapshot.ts'
import { type VolumeView } from '../../../domain/volume/volume.ts'
import { sameAccessAsObject } from '../../../engine/graphql/needs.ts'
import { First } from '../../../engine/graphql/page-args.ts'
import { batchReadNewest } from '../batch-read.ts'
import { type GraphRequest } from '../context.ts'
import { readsOf } from '../node/find-object.ts'
import { type RelatedObjects, itsTenant, relatedObjects } from '../node/related-objects.ts'
import { newestOperationsOn } from '../operation/newest-operations.ts'
import { Operation } from '../operation/operation-types.ts'
import { VolumeSnapshot } from '../volume-snapshot/volume-snapshot-types.ts'
import { Volume } from './volume-types.ts'

export const volumeObjects = {
  ...itsTenant,
  vm: {
    kind: 'vm',
    id: 'vmId',
    description: 'The VM to which the volume is attached, or will be.',
  },
  snapshot: {
    kind: 'volume_snapshot',
    id: 'snapshotId',
    description: 'The snapshot from which the volume was created.',
  },
} as const satisfies RelatedObjects<VolumeView>

export const VolumeObjectsResolver = relatedObjects<VolumeView>(Volume, volumeObjects)

/** Lists of objects that belong to a volume. */
@Resolver(() => Volume)
export class VolumeListsResolver {
  @sameAccessAsObject()
  @FieldResolver(() => [Operation], { description: 'The operations on the volume, newest first.' })
  operations(
    @Ctx() request: GraphRequest,
    @Root() { id }: Volume,
    @First() first: number,
  ): Promise<readonly OperationView[]> {
    return operationsOnVolume(request, id, first)
  }

  @sameAccessAsObject()
  @FieldResolver(() => [VolumeSnapshot], {
    description: 'The snapshots of the volume, newest first.',
  })
  snapshots(
    @Ctx() request: GraphRequest,
    @Root() { id }: Volume,
    @First() first: number,
  ): Promise<readonly VolumeSnapshotView[]> {
    return snapshotsOfVolume(request, id, first)
  }
}

const operationsOnVolume = newestOperationsOn('volume')

const snapshotsOfVolume = batchReadNewest(
  (request, ids, first) => readsOf(request).volumeSnapshots.newestOf(ids, first),
  ({ volumeId }) => volumeId,
)
