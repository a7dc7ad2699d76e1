import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { notFound } from '../../../engine/model/fault.ts'
import { addressesForVms, countIn, reservedIn } from '../../../domain/nic/addresses.ts'
import { type FieldContext } from '../context.ts'
import { asItsObject, needs } from '../../../engine/graphql/needs.ts'
import { NetworkAddressConnection, ReservedNetworkAddress } from './network-address-types.ts'
import { Network } from './network-types.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'

@Resolver(() => Network)
export class NetworkAddressResolver {
  @needs('networks:read', 'vms:read')
  @Query(() => NetworkAddressConnection, {
    description: 'Who has which address of a network, in the order of addresses.',
  })
  async networkAddresses(
    @Ctx() { reads, pageOf }: FieldContext,
    @Arg('networkId', () => ID) networkId: string,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    if (!(await reads.networks.find(networkId))) throw notFound('network', networkId)
    const asked = pageOf(args)
    const page = await reads.nics.addressesOf(networkId, asked)
    return new NetworkAddressConnection({
      page,
      asked,
      count: () => reads.nics.countAddressesOf(networkId),
    })
  }

  @asItsObject()
  @FieldResolver(() => [ReservedNetworkAddress], { description: 'No VM gets these.' })
  reservedAddresses(@Root() network: Network): ReservedNetworkAddress[] {
    return reservedIn(network)
  }

  @asItsObject()
  @FieldResolver(() => Int, { description: 'How many NICs it has addresses for.' })
  capacity(@Root() network: Network): number {
    return countIn([addressesForVms(network.cidr)])
  }
}
