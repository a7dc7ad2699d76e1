import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { may } from '../../../engine/model/viewer.ts'
import { type NetworkView } from '../../../domain/network/network.ts'
import { detachRefusal } from '../../../domain/nic/change.ts'
import { type NicView } from '../../../domain/nic/nic.ts'
import { attachNetwork } from '../../../usecases/nic/attach-network.ts'
import { detachNetwork } from '../../../usecases/nic/detach-network.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { Network } from '../network/network-types.ts'
import {
  AttachNetworkInput,
  AttachNetworkPayload,
  DetachNetworkInput,
  DetachNetworkPayload,
} from './nic-inputs.ts'
import { Nic, NicRefusals } from './nic-types.ts'
import { Vm } from '../vm/vm-types.ts'
import { WaitSeconds } from '../wait.ts'

@Resolver(() => Vm)
export class VmNicResolver {
  @sameAccessAsObject()
  @FieldResolver(() => [Nic], { description: 'The NICs in the order in which the guest has them.' })
  nics(
    @Ctx() request: GraphRequest,
    @Root('id') id: string,
    @Root('nics') nics: readonly NicView[] | undefined,
  ): readonly NicView[] | Promise<readonly NicView[]> {
    // A promise for each VM of a list costs as much as the rest of its row.
    return nics ?? nicsOf(request, id).then((found) => found ?? [])
  }

  @needs('vms:write')
  @Mutation(() => AttachNetworkPayload)
  attachNetwork(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => AttachNetworkInput) input: AttachNetworkInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => attachNetwork(op, input, berth))
  }

  @needs('vms:write')
  @Mutation(() => DetachNetworkPayload)
  detachNetwork(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => DetachNetworkInput) input: DetachNetworkInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => detachNetwork(op, input, berth))
  }
}

@Resolver(() => Nic)
export class NicResolver {
  @sameAccessAsObject()
  @FieldResolver(() => Network, {
    nullable: true,
    description:
      'The network of the NIC. Null on the cluster network, or when the caller may not read networks.',
  })
  async network(
    @Ctx() request: GraphRequest,
    @Root() { networkId }: Nic,
  ): Promise<NetworkView | null> {
    if (networkId === null || !may(request.viewer, 'networks:read')) return null
    return (await networkOf(request, networkId)) ?? null
  }

  @sameAccessAsObject()
  @FieldResolver(() => NicRefusals)
  async refusals(@Ctx() request: GraphRequest, @Root() nic: Nic): Promise<NicRefusals> {
    return { detach: detachRefusal((await nicsOf(request, nic.vmId)) ?? [], nic) }
  }
}

/** A caller who sees a VM has access to its tenant, so the read needs no narrower scope. */
export const nicsOf = batchRead(({ berth }, ids) => berth.reads('platform').nics.ofVms(ids))

const networkOf = batchRead(async ({ berth }, ids) => {
  const found = await berth.reads('platform').networks.findAll(ids)
  return new Map(found.map((network) => [network.id, network]))
})
