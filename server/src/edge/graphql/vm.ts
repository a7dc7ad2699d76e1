import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { deletionImpactOf } from '../../domain/vm/deletion-impact.ts'
import { actionsOf } from '../../domain/vm/lifecycle.ts'
import { createVm } from '../../usecases/vm/create-vm.ts'
import { deleteVm } from '../../usecases/vm/delete-vm.ts'
import { pauseVm } from '../../usecases/vm/pause-vm.ts'
import { restartVm } from '../../usecases/vm/restart-vm.ts'
import { resumeVm } from '../../usecases/vm/resume-vm.ts'
import { startVm } from '../../usecases/vm/start-vm.ts'
import { stopVm } from '../../usecases/vm/stop-vm.ts'
import { updateVm } from '../../usecases/vm/update-vm.ts'
import { type FieldContext } from './context.ts'
import { asItsObject, needs } from './needs.ts'
import { PageArgs } from './page-args.ts'
import { WaitSeconds } from './wait.ts'
import { VmDeletionImpact } from './vm-deletion-impact.ts'
import {
  CreateVmInput,
  DeleteVmInput,
  PauseVmInput,
  RestartVmInput,
  ResumeVmInput,
  StartVmInput,
  StopVmInput,
  UpdateVmInput,
  VmFilter,
  VmOrder,
} from './vm-inputs.ts'
import {
  CreateVmPayload,
  DeleteVmPayload,
  PauseVmPayload,
  RestartVmPayload,
  ResumeVmPayload,
  StartVmPayload,
  StopVmPayload,
  UpdateVmPayload,
  Vm,
  VmActionState,
  VmConnection,
} from './vm-types.ts'

@Resolver(() => Vm)
export class VmResolver {
  @needs('vms:read')
  @Query(() => Vm, { nullable: true })
  vm(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.vms.find(id)
  }

  @needs('vms:read')
  @Query(() => Vm, { nullable: true })
  vmByName(@Ctx() { reads }: FieldContext, @Arg('name', () => String) name: string) {
    return reads.vms.findByName(name)
  }

  @needs('vms:read')
  @Query(() => VmConnection)
  async vms(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => VmFilter, { nullable: true }) filter?: VmFilter,
    @Arg('orderBy', () => VmOrder, { nullable: true }) orderBy?: VmOrder,
  ) {
    const asked = pageOf(args)
    const { by: sort = 'name', direction = 'asc' } = orderBy ?? {}
    const query = { ...filter, sort, direction }
    return new VmConnection({ page: await reads.vms.list(asked, query), asked, count: () => reads.vms.count(query) })
  }

  @asItsObject()
  @FieldResolver(() => [VmActionState], { description: 'What can be done with it now, and for the rest why not.' })
  actions(@Root() { name, state, deleting, deleteProtection: isProtected }: Vm): VmActionState[] {
    return actionsOf({ name, isProtected, state: deleting ? 'Deleting' : state })
  }

  @asItsObject()
  @FieldResolver(() => VmDeletionImpact, { description: 'To be shown before it is deleted.' })
  deletionImpact(@Root() vm: Vm): VmDeletionImpact {
    return deletionImpactOf(vm)
  }

  @needs('vms:write')
  @Mutation(() => CreateVmPayload)
  createVm(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CreateVmInput) input: CreateVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => createVm(op, input, berth.quotaDefaults))
  }

  @needs('vms:write')
  @Mutation(() => UpdateVmPayload)
  updateVm(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => UpdateVmInput) input: UpdateVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => updateVm(op, input, berth.quotaDefaults))
  }

  @needs('vms:write')
  @Mutation(() => StartVmPayload)
  startVm(@Ctx() { writeAndWait }: FieldContext, @Arg('input', () => StartVmInput) input: StartVmInput, @WaitSeconds() wait?: number) {
    return writeAndWait(wait, (op) => startVm(op, input))
  }

  @needs('vms:write')
  @Mutation(() => StopVmPayload)
  stopVm(@Ctx() { writeAndWait }: FieldContext, @Arg('input', () => StopVmInput) input: StopVmInput, @WaitSeconds() wait?: number) {
    return writeAndWait(wait, (op) => stopVm(op, input))
  }

  @needs('vms:write')
  @Mutation(() => RestartVmPayload)
  restartVm(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => RestartVmInput) input: RestartVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => restartVm(op, input))
  }

  @needs('vms:write')
  @Mutation(() => PauseVmPayload)
  pauseVm(@Ctx() { writeAndWait }: FieldContext, @Arg('input', () => PauseVmInput) input: PauseVmInput, @WaitSeconds() wait?: number) {
    return writeAndWait(wait, (op) => pauseVm(op, input))
  }

  @needs('vms:write')
  @Mutation(() => ResumeVmPayload)
  resumeVm(@Ctx() { writeAndWait }: FieldContext, @Arg('input', () => ResumeVmInput) input: ResumeVmInput, @WaitSeconds() wait?: number) {
    return writeAndWait(wait, (op) => resumeVm(op, input))
  }

  @needs('vms:write')
  @Mutation(() => DeleteVmPayload)
  deleteVm(@Ctx() { writeAndWait }: FieldContext, @Arg('input', () => DeleteVmInput) input: DeleteVmInput, @WaitSeconds() wait?: number) {
    return writeAndWait(wait, (op) => deleteVm(op, input))
  }
}
