import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { ejectVmIso } from '../../../usecases/vm/eject-vm-iso.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { EjectVmIsoInput } from './vm-inputs.ts'
import { EjectVmIsoPayload, Vm } from './vm-types.ts'
import { WaitSeconds } from '../wait.ts'

@Resolver(() => Vm)
export class VmIsoResolver {
  @needs('vms:write')
  @Mutation(() => EjectVmIsoPayload, {
    description:
      'Removes the ISO from which the VM was installed, and frees the storage of its copy.',
  })
  ejectVmIso(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => EjectVmIsoInput) input: EjectVmIsoInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => ejectVmIso(op, input))
  }
}
