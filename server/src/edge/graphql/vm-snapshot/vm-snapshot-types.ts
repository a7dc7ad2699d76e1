import { Field, ID, Int, ObjectType } from 'type-graphql'
import {
  type CoveredDisk,
  type MissingDiskReason,
  coverages,
  missingDiskReasons,
} from '../../../domain/vm-snapshot/coverage.ts'
import {
  type VmSnapshotExplanation as Explained,
  type VmSnapshotExplanationCode,
  vmSnapshotExplanationCodes,
} from '../../../domain/vm-snapshot/explain.ts'
import { type Consistency, consistencies } from '../../../domain/vm-snapshot/state.ts'
import {
  type VmSnapshotOrigin,
  type VmSnapshotView,
  vmSnapshotOrigins,
} from '../../../domain/vm-snapshot/vm-snapshot.ts'
import {
  type VolumeSnapshotState,
  volumeSnapshotStates,
} from '../../../domain/volume-snapshot/state.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Fixer, FixerEnum } from '../vm/vm-enums.ts'
import { Vm } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'
import { explanationFields } from '../explanation-fields.ts'

export const vmSnapshotEnums = {
  state: enumOf('VmSnapshotState', volumeSnapshotStates, {
    description: 'The state of a snapshot of a VM.',
    values: {
      creating: 'The snapshot is being taken.',
      ready: 'The snapshot is taken and can be used.',
      failed: 'The snapshot could not be taken and has no content. Delete it and take another one.',
      lost: 'Another client deleted the snapshot in the cluster. Delete it in Berth too.',
      deleting: 'The snapshot is being deleted.',
    },
  }),
  coverage: enumOf('VmSnapshotCoverage', coverages, {
    description: 'Which disks the snapshot covers. Ephemeral disks are not counted.',
    values: {
      all_disks: 'The snapshot has the data of all disks.',
      some_disks: 'The snapshot lacks the data of some disks. `disks` tells which.',
      settings_only: 'The snapshot has the settings of the VM and no disks.',
    },
  }),
}
const OriginEnum = enumOf('VmSnapshotOrigin', vmSnapshotOrigins, {
  description: 'Why the snapshot was taken.',
  values: {
    asked: 'A user requested the snapshot.',
    safety: 'A restore saved the state before it.',
    schedule: 'A schedule took the snapshot.',
  },
})
const ConsistencyEnum = enumOf('VmSnapshotConsistency', consistencies, {
  description: 'How consistent the disks are.',
  values: {
    application: 'The guest agent froze the file systems while the snapshot was taken.',
    crash: 'The VM ran, and the disks are as after a power failure.',
    powered_off: 'The VM was off.',
  },
})
const LackedEnum = enumOf('VmSnapshotDiskReason', missingDiskReasons, {
  description: 'Why a snapshot does not have the data of a disk.',
  values: {
    forgets: 'The disk is ephemeral.',
    storage_class: 'The storage class of the disk offers no snapshots.',
    left_out: 'The cluster left the disk out.',
  },
})
const CodeEnum = enumOf('VmSnapshotExplanationCode', vmSnapshotExplanationCodes, {
  description: 'Why a snapshot of a VM is incomplete or not ready.',
  values: {
    failed: 'The snapshot could not be taken. Its operation has the cause.',
    lost: 'Another client deleted the snapshot in the cluster. Delete it in Berth too.',
    platform_incomplete:
      'The platform lacks a component or a right. The operation continues when the operator adds it.',
    retrying: 'The storage could not take the snapshot yet, and tries again. Wait a few minutes.',
    settings_only: 'The snapshot has no disks. Do not rely on it for data.',
    some_disks: 'The snapshot lacks some disks. Back up their data in another way.',
    waits_for_stop: 'The snapshot is taken as soon as the VM has stopped.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'Why a snapshot of a VM is incomplete or not ready.',
})
class VmSnapshotExplanation implements Explained {
  @Field(() => CodeEnum, explanationFields.code) code!: VmSnapshotExplanationCode
  @Field(() => String, explanationFields.summary) summary!: Message
  @Field(() => String, explanationFields.nextStep) nextStep!: Message
  @Field(() => FixerEnum, explanationFields.whoCanFix) whoCanFix!: Fixer
}

@ObjectType({
  simpleResolvers: true,
  description: 'A disk of a VM and its coverage by a snapshot.',
})
class VmSnapshotDisk implements Omit<CoveredDisk, 'disk'> {
  @Field(() => String, {
    description:
      'The name of the volume at that time; `root` and `iso` are disks of the VM itself.',
  })
  name!: string
  @Field(() => ID, { nullable: true, description: 'The volume; null for a disk of the VM itself.' })
  volumeId!: string | null
  @Field(() => Int, { description: 'The size of the disk in GiB.' })
  sizeGi!: number
  @Field(() => Boolean, { description: 'True when the snapshot has the data of the disk.' })
  included!: boolean
  @Field(() => LackedEnum, { nullable: true, description: 'Why the disk is not included.' })
  reason!: MissingDiskReason | null
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'The state of a VM at one time. It outlives the VM.',
})
export class VmSnapshot implements VmSnapshotView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The namespace of the snapshot in the cluster.' })
  namespace!: string
  @Field(() => String, {
    nullable: true,
    description: 'The UID of the snapshot object in the cluster; null until it is created.',
  })
  clusterUid!: string | null
  @Field(() => ID, { description: 'The VM of which the snapshot is.' })
  vmId!: string
  @Field(() => String, { description: 'The name of the VM at that time.' }) vmName!: string
  @Field(() => OriginEnum, {
    description:
      'A user asked for the snapshot, a restore saved the state before it, or a schedule took it.',
  })
  origin!: VmSnapshotOrigin
  @Field(() => ID, {
    nullable: true,
    description: 'The schedule that took the snapshot; null for other snapshots.',
  })
  scheduleId!: string | null
  @Field(() => vmSnapshotEnums.state, { description: 'The state as last observed in the cluster.' })
  state!: VolumeSnapshotState
  @Field(() => DateTime, { description: 'When the state began.' })
  stateSince!: string
  @Field(() => VmSnapshotExplanation, {
    nullable: true,
    description: 'Why the snapshot is incomplete or not ready. Null when it is complete.',
  })
  explanation!: Explained | null
  @Field(() => [VmSnapshotDisk], {
    nullable: true,
    description: 'The disks as the cluster reports them; null until the snapshot is taken.',
  })
  disks!: CoveredDisk[] | null
  @Field(() => ConsistencyEnum, {
    nullable: true,
    description: 'The consistency of the disks. The time of the snapshot; null until it is taken.',
  })
  consistency!: Consistency | null
  @Field(() => Int, { description: 'The vCPUs of the VM at that time.' }) cpu!: number
  @Field(() => Int, { description: 'The memory of the VM in MiB at that time.' })
  memoryMi!: number
  @Field(() => DateTime, {
    nullable: true,
    description: 'The time of the snapshot; null until it is taken.',
  })
  takenAt!: string | null
  @Field(() => Boolean, { description: 'True while the snapshot is being deleted.' })
  deleting!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class VmSnapshotRefusals {
  @Field(() => String, {
    nullable: true,
    description: 'Why the snapshot cannot be restored or cloned.',
  })
  use!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class VmSnapshotConnection extends connectionOf<VmSnapshotView>(VmSnapshot, 'VmSnapshot') {}

@ObjectType({ simpleResolvers: true })
class VmSnapshotPayload {
  @Field(() => VmSnapshot) vmSnapshot!: VmSnapshot
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class CreateVmSnapshotPayload extends VmSnapshotPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteVmSnapshotPayload extends VmSnapshotPayload {}

@ObjectType({ simpleResolvers: true })
export class CloneVmSnapshotPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class RestoreVmPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
  @Field(() => VmSnapshot, {
    nullable: true,
    description: 'The snapshot of the state before the restore; null when none was requested.',
  })
  safetySnapshot!: VmSnapshot | null
}
