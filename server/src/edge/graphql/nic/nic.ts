import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { detachRefusal } from '../../../domain/nic/change.ts'
import { type NicView } from '../../../domain/nic/nic.ts'
import { attachNetwork } from '../../../usecases/nic/attach-network.ts'
import { detachNetwork } from '../../../usecases/nic/detach-network.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import {
  AttachNetworkInput,
  AttachNetworkPayload,
  DetachNetworkInput,
  DetachNetworkPayload,
} from './nic-inputs.ts'
import { Nic, NicRefusals } from './nic-types.ts'
import { Vm } from '../vm/vm-types.ts'
import { WaitSeconds } from '../wait.ts'
import { relatedObjects } from '../node/related-objects.ts'

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
  @Mutation(() => AttachNetworkPayload, {
    description: 'Attaches a VM to a network with a new NIC. The VM must be running or stopped.',
  })
  attachNetwork(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => AttachNetworkInput) input: AttachNetworkInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => attachNetwork(op, input, berth))
  }

  @needs('vms:write')
  @Mutation(() => DetachNetworkPayload, {
    description:
      'Detaches a VM from a network, but not from its last one. The VM must be running, stopped or in the state `Error`.',
  })
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
  @FieldResolver(() => NicRefusals, { description: 'Why actions on the NIC are refused now.' })
  async refusals(@Ctx() request: GraphRequest, @Root() nic: Nic): Promise<NicRefusals> {
    return { detach: detachRefusal((await nicsOf(request, nic.vmId)) ?? [], nic) }
  }
}

/** A caller who sees a VM has access to its tenant, so the read needs no narrower scope. */
export const nicsOf = batchRead(({ berth }, ids) => berth.reads('platform').nics.ofVms(ids))

export const NicObjectsResolver = relatedObjects<NicView>(Nic, {
  vm: { kind: 'vm', id: 'vmId', description: 'The VM of the NIC.' },
  network: {
    kind: 'network',
    id: 'networkId',
    description: 'The network of the NIC; null on the cluster network.',
  },
  vpc: { kind: 'vpc', id: 'vpcId', description: 'The VPC of its network.' },
})
