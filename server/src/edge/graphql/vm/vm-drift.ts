import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { acceptVmDrift, revertVmDrift } from '../../../usecases/vm/resolve-vm-drift.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { AcceptVmDriftInput, RevertVmDriftInput } from './vm-inputs.ts'
import { AcceptVmDriftPayload, RevertVmDriftPayload, Vm } from './vm-types.ts'
import { WaitSeconds } from '../wait.ts'

@Resolver(() => Vm)
export class VmDriftResolver {
  @needs('vms:write')
  @Mutation(() => RevertVmDriftPayload, {
    description: 'Restores the VM in the cluster after another client has changed it there.',
  })
  revertVmDrift(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => RevertVmDriftInput) input: RevertVmDriftInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => revertVmDrift(op, input))
  }

  @needs('vms:write')
  @Mutation(() => AcceptVmDriftPayload, {
    description:
      'Takes over the power state, the vCPUs and the memory that another client set in the cluster.',
  })
  acceptVmDrift(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => AcceptVmDriftInput) input: AcceptVmDriftInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => acceptVmDrift(op, input, berth.quotaDefaults))
  }
}
