import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { type VolumeView } from '../../../domain/volume/volume.ts'
import { type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject } from '../../../engine/graphql/needs.ts'
import { Vm } from './vm-types.ts'
import { Volume } from '../volume/volume-types.ts'

@Resolver(() => Vm)
export class VmVolumesResolver {
  @sameAccessAsObject()
  @FieldResolver(() => [Volume], {
    description: 'The volumes that are attached to the VM, without its root disk.',
  })
  async volumes(@Ctx() request: GraphRequest, @Root() { id }: Vm): Promise<readonly VolumeView[]> {
    return (await volumesOfVm(request, id)) ?? []
  }
}

/** A caller who may see a VM may see its volumes. */
export const volumesOfVm = batchRead(async ({ berth }, ids) =>
  Map.groupBy(await berth.reads('platform').volumes.attachedTo(ids), ({ vmId }) => vmId ?? ''),
)
