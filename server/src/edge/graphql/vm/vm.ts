import { type GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { deletionImpactOf } from '../../../domain/vm/deletion-impact.ts'
import { actionsOf } from '../../../domain/vm/lifecycle.ts'
import { type WireState, wireStateOf } from '../../../domain/vm/wire-state.ts'
import { may } from '../../../engine/model/viewer.ts'
import { createVm } from '../../../usecases/vm/create-vm.ts'
import { deleteVm } from '../../../usecases/vm/delete-vm.ts'
import { retryVm } from '../../../usecases/vm/retry-vm.ts'
import { updateVm } from '../../../usecases/vm/update-vm.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { nicsOf } from '../nic/nic.ts'
import { idFieldsOf } from '../node/related-objects.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { selectedFields, selectedFieldsOfOne } from '../../../engine/graphql/selection.ts'
import { schedulesOf } from '../snapshot-schedule/snapshot-schedule.ts'
import { volumesOfVm } from './vm-volumes.ts'
import { WaitSeconds } from '../wait.ts'
import { vmObjects } from './vm-objects.ts'
import { VmDeletionImpact } from './vm-deletion-impact.ts'
import { vmEnums } from './vm-enums.ts'
import {
  CreateVmInput,
  DeleteVmInput,
  PlatformVmFilter,
  PlatformVmOrder,
  RetryVmInput,
  UpdateVmInput,
  VmFilter,
  VmOrder,
} from './vm-inputs.ts'
import {
  CreateVmPayload,
  DeleteVmPayload,
  RetryVmPayload,
  UpdateVmPayload,
  Vm,
  VmActionState,
  VmConnection,
} from './vm-types.ts'

const derivedFields = {
  ...idFieldsOf(vmObjects),
  actions: ['name', 'state', 'busyWith', 'deleting', 'deleteProtection', 'isoInserted', 'drift'],
  events: ['id'],
  explanation: ['explanation'],
  host: ['host'],
  networks: ['id'],
  nics: ['nics'],
  operations: ['id'],
  ownDisks: ['id'],
  security: ['id'],
  snapshots: ['id'],
  ssh: ['id'],
  volumes: ['id'],
  wireState: ['state', 'deleting', 'wantedPower', 'startRequested'],
}

@Resolver(() => Vm)
export class VmResolver {
  @needs('vms:read')
  @Query(() => Vm, {
    nullable: true,
    description: 'Finds a VM by its id; null when there is none.',
  })
  vm(
    @Ctx() { reads }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('id', () => ID) id: string,
  ) {
    return reads.vms.find(id, selectedFieldsOfOne(info, derivedFields))
  }

  @needs('vms:read')
  @Query(() => Vm, {
    nullable: true,
    description: 'Finds a VM of the tenant by its name; null when there is none.',
  })
  vmByName(
    @Ctx() { reads }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('name', () => String) name: string,
  ) {
    return reads.vms.findByName(name, selectedFieldsOfOne(info, derivedFields))
  }

  @needs('vms:read')
  @Query(() => VmConnection, { description: 'The VMs of the tenant.' })
  vms(
    @Ctx() { reads, pageOf }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => VmFilter, { nullable: true }) filter?: VmFilter,
    @Arg('orderBy', () => VmOrder, { nullable: true }) orderBy?: VmOrder,
  ) {
    return VmConnection.read(reads.vms, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
      selected: selectedFields(info, derivedFields),
    })
  }

  @needs('tenants:read', 'vms:read')
  @Query(() => VmConnection, { description: 'The VMs of all tenants.' })
  platformVms(
    @Ctx() { reads, pageOf }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => PlatformVmFilter, { nullable: true }) filter?: PlatformVmFilter,
    @Arg('orderBy', () => PlatformVmOrder, { nullable: true }) orderBy?: PlatformVmOrder,
  ) {
    return VmConnection.read(reads.vms, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
      selected: selectedFields(info, derivedFields),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => [VmActionState], {
    description:
      'The actions that the caller may do now, and why the other ones are refused to the caller.',
  })
  actions(@Ctx() { viewer }: GraphRequest, @Root() vm: Vm): VmActionState[] {
    const { name, deleting, deleteProtection: isProtected, busyWith, isoInserted, drift } = vm
    const state = deleting ? 'Deleting' : vm.state
    const subject = { name, state, isProtected, busyWith, hasIso: isoInserted, drift }
    return actionsOf(subject, viewer)
  }

  @sameAccessAsObject()
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The node on which the VM runs. Null while it does not run, and for callers who may not read all tenants.',
  })
  host(@Ctx() { viewer }: GraphRequest, @Root() { host }: Vm): string | null {
    return may(viewer, 'tenants:read') ? host : null
  }

  @sameAccessAsObject()
  @FieldResolver(() => vmEnums.wireState, { description: 'The state in the REST API.' })
  wireState(@Root() vm: Vm): WireState {
    return wireStateOf(vm)
  }

  @sameAccessAsObject()
  @FieldResolver(() => VmDeletionImpact, { description: 'Shown to the user before the deletion.' })
  async deletionImpact(@Ctx() request: GraphRequest, @Root() vm: Vm): Promise<VmDeletionImpact> {
    const [volumes = [], schedules = [], snapshots = 0, nics = []] = await Promise.all([
      volumesOfVm(request, vm.id),
      schedulesOf(request, vm.id),
      snapshotsOfVm(request, vm.id),
      nicsOf(request, vm.id),
    ])
    return deletionImpactOf(vm, { volumes, schedules, snapshots, nics })
  }

  @needs('vms:write')
  @Mutation(() => CreateVmPayload, {
    description: 'Creates a VM from a template or a container disk. The operation deploys it.',
  })
  createVm(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CreateVmInput) input: CreateVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => createVm(op, input, berth))
  }

  @needs('vms:write')
  @Mutation(() => UpdateVmPayload, {
    description:
      'Changes a VM. A new size takes effect with the next start, all other changes at once.',
  })
  updateVm(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => UpdateVmInput) input: UpdateVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => updateVm(op, input, berth.quotaDefaults))
  }

  @needs('vms:write')
  @Mutation(() => RetryVmPayload, {
    description: 'Repeats the failed deploy of a VM, with what exists of it.',
  })
  retryVm(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => RetryVmInput) input: RetryVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => retryVm(op, input, berth))
  }

  @needs('vms:write')
  @Mutation(() => DeleteVmPayload, {
    description:
      'Deletes a VM and its root disk. Its volumes and snapshots remain; `deleteProtection` must be off.',
  })
  deleteVm(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DeleteVmInput) input: DeleteVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => deleteVm(op, input))
  }
}

const snapshotsOfVm = batchRead(({ berth }, ids) =>
  berth.reads('platform').vmSnapshots.countsOf(ids),
)
