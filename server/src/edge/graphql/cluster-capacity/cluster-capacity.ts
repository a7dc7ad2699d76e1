import { Ctx, Query, Resolver } from 'type-graphql'
import { capacityWarningsOf } from '../../../domain/cluster-capacity/warnings.ts'
import { ClusterCapacity } from './cluster-capacity-types.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'

@Resolver()
export class ClusterCapacityResolver {
  // The answer covers all tenants, so it needs a permission that only root has.
  @needs('tenants:read')
  @Query(() => ClusterCapacity, {
    description: 'The capacity of the cluster, and how much of it is allocated.',
  })
  async clusterCapacity(@Ctx() { reads }: FieldContext): Promise<ClusterCapacity> {
    const found = await reads.clusterCapacity.read()
    return { ...found, warnings: capacityWarningsOf(found.hosts, found.promised) }
  }
}
