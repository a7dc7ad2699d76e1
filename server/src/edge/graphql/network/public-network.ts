import { Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import { publicNetwork } from '../../../domain/network/public-network.ts'
import { countIn } from '../../../domain/nic/addresses.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { asItsObject, needs } from '../../../engine/graphql/needs.ts'
import { PublicNetwork } from './public-network-types.ts'

@Resolver(() => PublicNetwork)
export class PublicNetworkResolver {
  @needs('networks:read')
  @Query(() => PublicNetwork, {
    nullable: true,
    description: 'Null where there is none: then VMs have no public addresses.',
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
      capacity: countIn(pool),
      ...berth.networking.publicNetworkState(),
    }
  }

  @asItsObject()
  @FieldResolver(() => Int, { description: 'How many of them nobody has.' })
  async free(
    @Ctx() { berth }: GraphRequest,
    @Root() { id, capacity }: PublicNetwork,
  ): Promise<number> {
    // Of what other tenants have it tells no more than this number.
    return Math.max(0, capacity - (await berth.reads('platform').nics.countAddressesOf(id)))
  }
}
