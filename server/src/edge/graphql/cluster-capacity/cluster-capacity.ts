import { Ctx, Query, Resolver } from 'type-graphql'
import { capacityWarningsOf } from '../../../domain/cluster-capacity/warnings.ts'
import { ClusterCapacity } from './cluster-capacity-types.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'

@Resolver()
export class ClusterCapacityResolver {
  // It tells what all tenants together have, so it is for who may see all of them.
  @needs('tenants:read')
  @Query(() => ClusterCapacity)
  async clusterCapacity(@Ctx() { reads }: FieldContext): Promise<ClusterCapacity> {
    const found = await reads.clusterCapacity.read()
    return { ...found, warnings: capacityWarningsOf(found.hosts, found.promised) }
  }
}
