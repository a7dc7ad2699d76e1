import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { notFound } from '../../../engine/model/fault.ts'
import { addressesForVms, countAddresses, reservedIn } from '../../../domain/nic/addresses.ts'
import { type FieldContext } from '../context.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import {
  NetworkAddress,
  NetworkAddressConnection,
  ReservedNetworkAddress,
} from './network-address-types.ts'
import { Network } from './network-types.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { relatedObjects } from '../node/related-objects.ts'
import { type AllocatedAddress } from '../../../domain/nic/addresses.ts'

@Resolver(() => Network)
export class NetworkAddressResolver {
  @needs('networks:read', 'vms:read')
  @Query(() => NetworkAddressConnection, {
    description: 'The VMs that use the addresses of a network, in order of addresses.',
  })
  async networkAddresses(
    @Ctx() { reads, pageOf }: FieldContext,
    @Arg('networkId', () => ID, { description: 'The id of the network.' }) networkId: string,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    if (!(await reads.networks.find(networkId))) throw notFound('network', networkId)
    const pageRequest = pageOf(args)
    const page = await reads.nics.addressesOf(networkId, pageRequest)
    return new NetworkAddressConnection({
      page,
      pageRequest,
      count: () => reads.nics.countAddressesOf(networkId),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => [ReservedNetworkAddress], {
    description: 'Addresses that are never assigned to a VM.',
  })
  reservedAddresses(@Root() network: Network): ReservedNetworkAddress[] {
    return reservedIn(network)
  }

  @sameAccessAsObject()
  @FieldResolver(() => Int, { description: 'How many NICs the network has addresses for.' })
  capacity(@Root() network: Network): number {
    return countAddresses([addressesForVms(network.cidr)])
  }
}

export const NetworkAddressObjectsResolver = relatedObjects<AllocatedAddress>(NetworkAddress, {
  vm: { kind: 'vm', id: 'vmId', description: 'The VM that uses the address, or has released it.' },
})
