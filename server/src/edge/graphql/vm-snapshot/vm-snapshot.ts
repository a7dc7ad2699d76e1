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
import { type Coverage, coverageOf } from '../../../domain/vm-snapshot/coverage.ts'
import { restoreRefusal } from '../../../domain/volume-snapshot/volume-snapshot.ts'
import { cloneVmSnapshot } from '../../../usecases/vm-snapshot/clone-vm-snapshot.ts'
import { createVmSnapshot } from '../../../usecases/vm-snapshot/create-vm-snapshot.ts'
import { deleteVmSnapshot } from '../../../usecases/vm-snapshot/delete-vm-snapshot.ts'
import { restoreVm } from '../../../usecases/vm-snapshot/restore-vm.ts'
import { type FieldContext } from '../context.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { selectedFields, selectedFieldsOfOne } from '../../../engine/graphql/selection.ts'
import {
  CloneVmSnapshotInput,
  CreateVmSnapshotInput,
  DeleteVmSnapshotInput,
  RestoreVmInput,
  VmSnapshotFilter,
  VmSnapshotOrder,
} from './vm-snapshot-inputs.ts'
import {
  CloneVmSnapshotPayload,
  CreateVmSnapshotPayload,
  DeleteVmSnapshotPayload,
  RestoreVmPayload,
  VmSnapshot,
  VmSnapshotConnection,
  VmSnapshotRefusals,
  vmSnapshotEnums,
} from './vm-snapshot-types.ts'
import { boundsOf } from '../volume/volume.ts'
import { WaitSeconds } from '../wait.ts'
import {
  type RelatedObjects,
  idFieldsOf,
  itsTenant,
  relatedObjects,
} from '../node/related-objects.ts'
import { type VmSnapshotView } from '../../../domain/vm-snapshot/vm-snapshot.ts'

const vmSnapshotObjects = {
  ...itsTenant,
  vm: { kind: 'vm', id: 'vmId', description: 'The VM of which the snapshot is.' },
  schedule: {
    kind: 'snapshot_schedule',
    id: 'scheduleId',
    description: 'The schedule that took the snapshot.',
  },
} as const satisfies RelatedObjects<VmSnapshotView>

const derivedFields = {
  ...idFieldsOf(vmSnapshotObjects),
  coverage: ['disks'],
  disks: ['disks'],
  explanation: ['explanation'],
}

@Resolver(() => VmSnapshot)
export class VmSnapshotResolver {
  @needs('vms:read')
  @Query(() => VmSnapshot, {
    nullable: true,
    description: 'Finds a snapshot of a VM by its id; null when there is none.',
  })
  vmSnapshot(
    @Ctx() { reads }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('id', () => ID) id: string,
  ) {
    return reads.vmSnapshots.find(id, selectedFieldsOfOne(info, derivedFields))
  }

  @needs('vms:read')
  @Query(() => VmSnapshotConnection, { description: 'The snapshots of VMs of the tenant.' })
  vmSnapshots(
    @Ctx() { reads, pageOf }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => VmSnapshotFilter, { nullable: true }) filter?: VmSnapshotFilter,
    @Arg('orderBy', () => VmSnapshotOrder, { nullable: true }) orderBy?: VmSnapshotOrder,
  ) {
    return VmSnapshotConnection.read(reads.vmSnapshots, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
      selected: selectedFields(info, derivedFields),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => vmSnapshotEnums.coverage, {
    nullable: true,
    description: 'The coverage of the disks. Null until the snapshot is taken.',
  })
  coverage(@Root() { disks }: VmSnapshot): Coverage | null {
    return disks && coverageOf(disks)
  }

  @sameAccessAsObject()
  @FieldResolver(() => VmSnapshotRefusals)
  refusals(@Root() snapshot: VmSnapshot): VmSnapshotRefusals {
    return { use: restoreRefusal(snapshot)?.userMessage ?? null }
  }

  @needs('vms:write')
  @Mutation(() => CreateVmSnapshotPayload, {
    description: 'Takes a snapshot of a VM as it is now. The VM may be running.',
  })
  createVmSnapshot(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CreateVmSnapshotInput) input: CreateVmSnapshotInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => createVmSnapshot(op, input, boundsOf(berth)))
  }

  @needs('vms:write')
  @Mutation(() => DeleteVmSnapshotPayload, {
    description:
      'Deletes a snapshot of a VM. It is refused while a restore or a clone uses the snapshot.',
  })
  deleteVmSnapshot(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DeleteVmSnapshotInput) input: DeleteVmSnapshotInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => deleteVmSnapshot(op, input))
  }

  @needs('vms:write')
  @Mutation(() => CloneVmSnapshotPayload, {
    description: 'Creates a VM with the settings of the snapshot and copies of its disks.',
  })
  cloneVmSnapshot(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CloneVmSnapshotInput) input: CloneVmSnapshotInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => cloneVmSnapshot(op, input, berth))
  }

  @needs('vms:write')
  @Mutation(() => RestoreVmPayload, {
    description:
      'Restores the size and the disks of a VM from one of its snapshots. The VM is stopped afterwards.',
  })
  restoreVm(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => RestoreVmInput) input: RestoreVmInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => restoreVm(op, input, boundsOf(berth)))
  }
}

export const VmSnapshotObjectsResolver = relatedObjects<VmSnapshotView>(
  VmSnapshot,
  vmSnapshotObjects,
)
