import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { closedSsh, vmSshFrom } from '../../../domain/vm-ssh/vm-ssh.ts'
import { exposeVmSsh } from '../../../usecases/vm-ssh/expose-vm-ssh.ts'
import { unexposeVmSsh } from '../../../usecases/vm-ssh/unexpose-vm-ssh.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import {
  ExposeVmSshInput,
  ExposeVmSshPayload,
  UnexposeVmSshInput,
  UnexposeVmSshPayload,
  VmSsh,
} from './vm-ssh-types.ts'
import { Vm } from '../vm/vm-types.ts'
import { WaitSeconds } from '../wait.ts'

@Resolver(() => Vm)
export class VmSshResolver {
  @sameAccessAsObject()
  @FieldResolver(() => VmSsh, { description: 'The SSH access to the VM.' })
  async ssh(@Ctx() request: GraphRequest, @Root() { id }: Vm): Promise<VmSsh> {
    const found = await sshOf(request, id)
    return found ? vmSshFrom(found) : closedSsh
  }

  @needs('vms:write')
  @Mutation(() => ExposeVmSshPayload, {
    description:
      'Opens a port on every node that leads to SSH of the VM. Every client that reaches a node can use it; security groups do not apply.',
  })
  exposeVmSsh(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => ExposeVmSshInput) input: ExposeVmSshInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => exposeVmSsh(op, input))
  }

  @needs('vms:write')
  @Mutation(() => UnexposeVmSshPayload, {
    description: 'Closes the port on the nodes that leads to SSH of the VM.',
  })
  unexposeVmSsh(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => UnexposeVmSshInput) input: UnexposeVmSshInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => unexposeVmSsh(op, input))
  }
}

/** A caller who sees a VM has access to its tenant, so the read needs no narrower scope. */
const sshOf = batchRead(({ berth }, ids) => berth.reads('platform').vmSsh.ofVms(ids))
