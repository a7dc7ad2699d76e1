import { Arg, Ctx, Extensions, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import { type Hub } from '../../../engine/changes/hub.ts'
import { changeKinds } from '../../../domain/change/change-kinds.ts'
import { type ChangeKind, type Delivery } from '../../../engine/model/change.ts'
import { type Requirement } from '../../../engine/model/permission.ts'
import { type Viewer, may } from '../../../engine/model/viewer.ts'
import { isFinal } from '../../../domain/operation/lifecycle.ts'
import { type NetworkView } from '../../../domain/network/network.ts'
import { type SnapshotScheduleView } from '../../../domain/snapshot-schedule/snapshot-schedule.ts'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { type VmView } from '../../../domain/vm/vm.ts'
import { type VmTemplateView } from '../../../domain/vm-template/vm-template.ts'
import { type VpcView } from '../../../domain/vpc/vpc.ts'
import { type VolumeView } from '../../../domain/volume/volume.ts'
import { type VmSnapshotView } from '../../../domain/vm-snapshot/vm-snapshot.ts'
import { type VolumeSnapshotView } from '../../../domain/volume-snapshot/volume-snapshot.ts'
import { Change, ChangeKindEnum } from './change-types.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { scopeOf } from '../guard.ts'
import { needs, platformWide } from '../../../engine/graphql/needs.ts'
import { Network } from '../network/network-types.ts'
import { Operation } from '../operation/operation-types.ts'
import { SnapshotSchedule } from '../snapshot-schedule/snapshot-schedule-types.ts'
import { VmSnapshot } from '../vm-snapshot/vm-snapshot-types.ts'
import { VmTemplate } from '../vm-template/vm-template-types.ts'
import { Vm } from '../vm/vm-types.ts'
import { VolumeSnapshot } from '../volume-snapshot/volume-snapshot-types.ts'
import { Volume } from '../volume/volume-types.ts'
import { Vpc } from '../vpc/vpc-types.ts'
import { watchRow } from './watch-row.ts'

interface Asked<Args> {
  args: Args
  /** Made by the guard. */
  context: FieldContext
}

interface ChangesArgs {
  after?: string | null
  kinds?: readonly ChangeKind[] | null
}

@Resolver()
export class ChangeResolver {
  @needs('any')
  @platformWide()
  @Query(() => String, {
    description:
      'Where the changes stood before this request was answered. Subscribe to `changes` after it, and nothing is missed that changes what the same request has read.',
  })
  changeCursor(@Ctx() { changeCursor }: FieldContext): string {
    return changeCursor
  }

  @needs('any')
  @platformWide()
  @Extensions({ fanOut: { after: 'after', mayHaveMissed, keyOf: objectOf } })
  @Subscription(() => Change, {
    description:
      'Every change that the caller may see, from now on or from where an earlier subscription ended.',
    subscribe: ({ args, context }: Asked<ChangesArgs>) =>
      context.hub.subscribe(wantedBy(args, context)),
  })
  changes(
    @Root() delivery: Delivery,
    @Arg('after', () => String, { nullable: true }) _after?: string,
    @Arg('kinds', () => [ChangeKindEnum], { nullable: true }) _kinds?: ChangeKind[],
  ): Change {
    if (!delivery.gap) return { ...delivery.change, gap: false }
    return {
      cursor: delivery.cursor,
      kind: null,
      objectId: null,
      tenantId: null,
      version: null,
      gap: true,
    }
  }

  @needs('any')
  @platformWide()
  @Subscription(() => Operation, {
    description:
      'The operation as it is, and again each time that it has changed, until it has ended.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, {
        kind: 'operation',
        noun: 'operation',
        read: () => context.reads.operations.find(id),
        isOver: ({ state }) => isFinal(state),
      }),
  })
  operation(@Root() operation: OperationView, @Arg('id', () => ID) _id: string): OperationView {
    return operation
  }

  @needs('vms:read')
  @Subscription(() => VmTemplate, {
    description:
      'The template as it is, and again each time that it or the progress of its import has changed, until it is deleted.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, {
        kind: 'vm_template',
        noun: 'template',
        read: () => context.reads.vmTemplates.find(id),
      }),
  })
  vmTemplateChanged(
    @Root() template: VmTemplateView,
    @Arg('id', () => ID) _id: string,
  ): VmTemplateView {
    return template
  }

  @needs('vms:read')
  @Subscription(() => Vm, {
    description: 'The VM as it is, and again each time that it has changed, until it is gone.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, { kind: 'vm', noun: 'VM', read: () => context.reads.vms.find(id) }),
  })
  vmChanged(@Root() vm: VmView, @Arg('id', () => ID) _id: string): VmView {
    return vm
  }

  @needs('vms:read')
  @Subscription(() => VmSnapshot, {
    description:
      'The snapshot as it is, and again each time that it has changed, until it is gone.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, {
        kind: 'vm_snapshot',
        noun: 'VM snapshot',
        read: () => context.reads.vmSnapshots.find(id),
      }),
  })
  vmSnapshotChanged(
    @Root() snapshot: VmSnapshotView,
    @Arg('id', () => ID) _id: string,
  ): VmSnapshotView {
    return snapshot
  }

  @needs('vms:read', 'volumes:read')
  @Subscription(() => SnapshotSchedule, {
    description:
      'The schedule as it is, and again each time that it has changed or run, until it is gone.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, {
        kind: 'snapshot_schedule',
        noun: 'snapshot schedule',
        read: () => context.reads.snapshotSchedules.find(id),
      }),
  })
  snapshotScheduleChanged(
    @Root() schedule: SnapshotScheduleView,
    @Arg('id', () => ID) _id: string,
  ): SnapshotScheduleView {
    return schedule
  }

  @needs('vpcs:read')
  @Subscription(() => Vpc, {
    description: 'The VPC as it is, and again each time that it has changed, until it is gone.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, { kind: 'vpc', noun: 'VPC', read: () => context.reads.vpcs.find(id) }),
  })
  vpcChanged(@Root() vpc: VpcView, @Arg('id', () => ID) _id: string): VpcView {
    return vpc
  }

  @needs('networks:read')
  @Subscription(() => Network, {
    description: 'The network as it is, and again each time that it has changed, until it is gone.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, {
        kind: 'network',
        noun: 'network',
        read: () => context.reads.networks.find(id),
      }),
  })
  networkChanged(@Root() network: NetworkView, @Arg('id', () => ID) _id: string): NetworkView {
    return network
  }

  @needs('volumes:read')
  @Subscription(() => Volume, {
    description: 'The volume as it is, and again each time that it has changed, until it is gone.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, {
        kind: 'volume',
        noun: 'volume',
        read: () => context.reads.volumes.find(id),
      }),
  })
  volumeChanged(@Root() volume: VolumeView, @Arg('id', () => ID) _id: string): VolumeView {
    return volume
  }

  @needs('volumes:read')
  @Subscription(() => VolumeSnapshot, {
    description:
      'The snapshot as it is, and again each time that it has changed, until it is gone.',
    subscribe: ({ args: { id }, context }: Asked<{ id: string }>) =>
      watchRow(context, {
        kind: 'volume_snapshot',
        noun: 'snapshot',
        read: () => context.reads.volumeSnapshots.find(id),
      }),
  })
  volumeSnapshotChanged(
    @Root() snapshot: VolumeSnapshotView,
    @Arg('id', () => ID) _id: string,
  ): VolumeSnapshotView {
    return snapshot
  }
}

function wantedBy(
  { after, kinds }: ChangesArgs,
  { scope, viewer }: Pick<FieldContext, 'scope' | 'viewer'>,
): Parameters<Hub['subscribe']>[0] {
  return { scope, after, kinds: (kinds ?? changeKinds).filter((kind) => mayHear(viewer, kind)) }
}

function mayHaveMissed(args: ChangesArgs, { hub, viewer }: GraphRequest): boolean {
  return hub.mayHaveMissed(wantedBy(args, { viewer, scope: scopeOf(viewer, ['any'], true) }))
}

/** Whoever waits for several changes of one object needs the last one only. */
function objectOf(delivery: Delivery): string | null {
  return delivery.gap ? null : `${delivery.change.kind}/${delivery.change.objectId}`
}

/** That something exists and changes is told to those only who could read it. */
const hearing: Record<ChangeKind, Requirement> = {
  api_key: 'any',
  network: 'networks:read',
  operation: 'any',
  role: 'users:read',
  security_group: 'security_groups:read',
  service_offering: 'any',
  snapshot_schedule: 'vms:read',
  ssh_key: 'ssh_keys:read',
  tenant: 'any',
  user: 'users:read',
  vm: 'vms:read',
  vm_snapshot: 'vms:read',
  vm_template: 'vms:read',
  volume: 'volumes:read',
  volume_snapshot: 'volumes:read',
  vpc: 'vpcs:read',
}

function mayHear(viewer: Viewer, kind: ChangeKind): boolean {
  const requirement = hearing[kind]
  return requirement === 'any' || requirement === 'public' || may(viewer, requirement)
}
