import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { networkDeleteRefusal } from '../../../domain/network/rules.ts'
import { createNetwork } from '../../../usecases/network/create-network.ts'
import { deleteNetwork } from '../../../usecases/network/delete-network.ts'
import { planNetworkCidrs } from '../../../usecases/network/plan-cidrs.ts'
import { updateNetwork } from '../../../usecases/network/update-network.ts'
import { NetworkCidrPlan } from './cidr-plan-types.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import {
  CreateNetworkInput,
  DeleteNetworkInput,
  NetworkFilter,
  NetworkOrder,
  UpdateNetworkInput,
} from './network-inputs.ts'
import {
  CreateNetworkPayload,
  DeleteNetworkPayload,
  Network,
  NetworkConnection,
  NetworkRefusals,
  UpdateNetworkPayload,
} from './network-types.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { WaitSeconds } from '../wait.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'
import { type NetworkView } from '../../../domain/network/network.ts'

@Resolver(() => Network)
export class NetworkResolver {
  @needs('networks:read')
  @Query(() => Network, {
    nullable: true,
    description: 'Finds a private network by its id; null when there is none.',
  })
  network(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.networks.find(id)
  }

  @needs('networks:read')
  @Query(() => NetworkConnection, { description: 'The private networks of the tenant.' })
  networks(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => NetworkFilter, { nullable: true }) filter?: NetworkFilter,
    @Arg('orderBy', () => NetworkOrder, { nullable: true }) orderBy?: NetworkOrder,
  ) {
    return NetworkConnection.read(reads.networks, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
    })
  }

  @needs('networks:read')
  @Query(() => NetworkCidrPlan, {
    description: 'CIDR blocks that a new network of the VPC could use.',
  })
  networkCidrPlan(
    @Ctx() { reads, berth }: FieldContext,
    @Arg('vpcId', () => ID, { description: 'The id of the VPC.' }) vpcId: string,
    @Arg('prefix', () => Int, {
      nullable: true,
      description: 'The prefix length, from that of the VPC to 28; 24 by default.',
    })
    prefix?: number,
  ) {
    return planNetworkCidrs(reads, vpcId, { prefix, networking: berth.networking })
  }

  @sameAccessAsObject()
  @FieldResolver(() => NetworkRefusals)
  async refusals(@Ctx() request: GraphRequest, @Root() network: Network): Promise<NetworkRefusals> {
    const vms = (await vmsIn(request, network.id)) ?? []
    return { delete: networkDeleteRefusal(network, vms)?.userMessage ?? null }
  }

  @needs('networks:write')
  @Mutation(() => CreateNetworkPayload, { description: 'Creates a private network in a VPC.' })
  createNetwork(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CreateNetworkInput) input: CreateNetworkInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => createNetwork(op, input, berth))
  }

  @needs('networks:write')
  @Mutation(() => UpdateNetworkPayload, {
    description: 'Renames a network. Its addresses do not change.',
  })
  updateNetwork(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => UpdateNetworkInput) input: UpdateNetworkInput,
  ) {
    return write((op) => updateNetwork(op, input))
  }

  @needs('networks:write')
  @Mutation(() => DeleteNetworkPayload, {
    description:
      'Deletes a network in which no VM has a NIC. The default network of a VPC is deleted only with the VPC.',
  })
  deleteNetwork(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DeleteNetworkInput) input: DeleteNetworkInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => deleteNetwork(op, input))
  }
}

/** A caller who may see a network may also see the names of its VMs. */
const vmsIn = batchRead(({ berth }, ids) => berth.reads('platform').nics.vmsIn('network', ids))

export const NetworkObjectsResolver = relatedObjects<NetworkView>(Network, {
  ...itsTenant,
  vpc: { kind: 'vpc', id: 'vpcId', description: 'The VPC of the network.' },
})
