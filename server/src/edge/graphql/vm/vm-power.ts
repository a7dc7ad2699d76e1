import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { needs } from '../../../engine/graphql/needs.ts'
import { powerVm } from '../../../usecases/vm/power-vm.ts'
import { type FieldContext } from '../context.ts'
import { Operation } from '../operation/operation-types.ts'
import { WaitSeconds } from '../wait.ts'
import { VmVerbInput } from './vm-inputs.ts'
import { Vm, VmPayload } from './vm-types.ts'

const ifNeededField = {
  nullable: true,
  description:
    'Succeed without an operation when the VM has the requested power already, instead of refusing.',
} as const

const operationField = {
  nullable: true,
  description: 'The operation. Null when `ifNeeded` is true and there was nothing to do.',
} as const

@InputType()
class StartVmInput extends VmVerbInput {
  @Field(() => Boolean, ifNeededField) ifNeeded?: boolean | null
}

@ObjectType({ simpleResolvers: true })
class StartVmPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation, operationField) operation!: Operation | null
}

@InputType()
class StopVmInput extends VmVerbInput {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Cut the power immediately. It also ends a shutdown that is in progress.',
  })
  force?: boolean | null

  @Field(() => Boolean, ifNeededField) ifNeeded?: boolean | null
}

@ObjectType({ simpleResolvers: true })
class StopVmPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation, operationField) operation!: Operation | null
}

@InputType()
class RestartVmInput extends VmVerbInput {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Do not give the guest time to shut down.',
  })
  force?: boolean | null
}

@ObjectType({ simpleResolvers: true })
class RestartVmPayload extends VmPayload {}

@InputType()
class PauseVmInput extends VmVerbInput {}

@ObjectType({ simpleResolvers: true })
class PauseVmPayload extends VmPayload {}

@InputType()
class ResumeVmInput extends VmVerbInput {}

@ObjectType({ simpleResolvers: true })
class ResumeVmPayload extends VmPayload {}

@Resolver(() => Vm)
export class VmPowerResolver {
  @needs('vms:write')
  @Mutation(() => StartVmPayload, {
    description: 'Starts a VM that is stopped or in the state `Error`.',
  })
  startVm(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => StartVmInput) input: StartVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => powerVm(op, 'start', input))
  }

  @needs('vms:write')
  @Mutation(() => StopVmPayload, {
    description: 'Stops a VM. The guest has time to shut down unless `force` is true.',
  })
  stopVm(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => StopVmInput) input: StopVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => powerVm(op, 'stop', input))
  }

  @needs('vms:write')
  @Mutation(() => RestartVmPayload, {
    description:
      'Restarts a VM that is running or paused. The guest has time to shut down unless `force` is true.',
  })
  restartVm(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => RestartVmInput) input: RestartVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => powerVm(op, 'restart', input))
  }

  @needs('vms:write')
  @Mutation(() => PauseVmPayload, { description: 'Pauses a running VM, which keeps its memory.' })
  pauseVm(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => PauseVmInput) input: PauseVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => powerVm(op, 'pause', input))
  }

  @needs('vms:write')
  @Mutation(() => ResumeVmPayload, { description: 'Resumes a paused VM.' })
  resumeVm(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => ResumeVmInput) input: ResumeVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => powerVm(op, 'resume', input))
  }
}
