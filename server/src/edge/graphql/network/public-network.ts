import { Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import { publicNetwork } from '../../../domain/network/public-network.ts'
import { countAddresses } from '../../../domain/nic/addresses.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { PublicNetwork } from './public-network-types.ts'

@Resolver(() => PublicNetwork)
export class PublicNetworkResolver {
  @needs('networks:read')
  @Query(() => PublicNetwork, {
    nullable: true,
    description:
      'The public network. Null when the platform has none; VMs then have no public addresses.',
  })
  publicNetwork(@Ctx() { berth }: FieldContext): PublicNetwork | null {
    const configured = berth.networking.publicNetwork
    if (!configured) return null
    const { cidr, gateway, dns, pool } = configured
    return {
      ...publicNetwork,
      cidr,
      gateway,
      dns,
      capacity: countAddresses(pool),
      ...berth.networking.publicNetworkState(),
    }
  }

  @sameAccessAsObject()
  @FieldResolver(() => Int, { description: 'How many addresses are free.' })
  async free(
    @Ctx() { berth }: GraphRequest,
    @Root() { id, capacity }: PublicNetwork,
  ): Promise<number> {
    // This number is all that a tenant learns of the addresses of other tenants.
    return Math.max(0, capacity - (await berth.reads('platform').nics.countAddressesOf(id)))
  }
}
