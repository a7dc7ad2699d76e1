import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import {
  type CoveredDisk,
  type DiskLackedBy,
  coverages,
  disksLackedBy,
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
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Fixer, FixerEnum, Vm } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

export const vmSnapshotEnums = { state: enumOf(volumeSnapshotStates), coverage: enumOf(coverages) }
registerEnumType(vmSnapshotEnums.state, { name: 'VmSnapshotState' })
registerEnumType(vmSnapshotEnums.coverage, {
  name: 'VmSnapshotCoverage',
  description:
    'How much of a VM is in its snapshot; disks that forget with each stop are missed by nobody.',
})
const OriginEnum = enumOf(vmSnapshotOrigins)
registerEnumType(OriginEnum, {
  name: 'VmSnapshotOrigin',
  description: 'Asked for, taken before a restore, or by a schedule.',
})
const ConsistencyEnum = enumOf(consistencies)
registerEnumType(ConsistencyEnum, {
  name: 'VmSnapshotConsistency',
  description:
    'Whether programs had written down what they knew, whether it is as after a power cut, or whether nothing ran.',
})
const LackedEnum = enumOf(disksLackedBy)
registerEnumType(LackedEnum, { name: 'VmSnapshotDiskReason' })
const CodeEnum = enumOf(vmSnapshotExplanationCodes)
registerEnumType(CodeEnum, { name: 'VmSnapshotExplanationCode' })

@ObjectType({
  simpleResolvers: true,
  description: 'Why a snapshot of a VM is not as one would expect.',
})
class VmSnapshotExplanation implements Explained {
  @Field(() => CodeEnum) code!: VmSnapshotExplanationCode
  @Field(() => String) summary!: Message
  @Field(() => String) nextStep!: Message
  @Field(() => FixerEnum) whoCanFix!: Fixer
}

@ObjectType({ simpleResolvers: true, description: 'What became of a disk of a VM in a snapshot.' })
class VmSnapshotDisk implements Omit<CoveredDisk, 'disk'> {
  @Field(() => String, { description: 'Of the volume then; root and iso are the VM’s own.' })
  name!: string
  @Field(() => ID, { nullable: true }) volumeId!: string | null
  @Field(() => Int) sizeGi!: number
  @Field(() => Boolean) included!: boolean
  @Field(() => LackedEnum, { nullable: true, description: 'Why it is not included.' })
  reason!: DiskLackedBy | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'What a VM was at a moment; it outlives the VM.',
})
export class VmSnapshot implements VmSnapshotView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'Where the cluster has it.' }) namespace!: string
  @Field(() => ID) vmId!: string
  @Field(() => String, { description: 'As the VM was called then.' }) vmName!: string
  @Field(() => OriginEnum) origin!: VmSnapshotOrigin
  @Field(() => ID, { nullable: true, description: 'Of the schedule that made it.' }) scheduleId!:
    string | null
  @Field(() => vmSnapshotEnums.state, { description: 'As it was seen last.' })
  state!: VolumeSnapshotState
  @Field(() => DateTime) stateSince!: string
  @Field(() => VmSnapshotExplanation, { nullable: true, description: 'Null when all is plain.' })
  explanation!: Explained | null
  @Field(() => [VmSnapshotDisk], {
    nullable: true,
    description: 'As the cluster says; null until it is taken.',
  })
  disks!: CoveredDisk[] | null
  @Field(() => ConsistencyEnum, { nullable: true, description: 'Null until it is taken.' })
  consistency!: Consistency | null
  @Field(() => Int, { description: 'Of the VM then.' }) cpu!: number
  @Field(() => Int) memoryMi!: number
  @Field(() => DateTime, { nullable: true }) takenAt!: string | null
  @Field(() => Boolean) deleting!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now, in words; null when it is allowed.',
})
export class VmSnapshotRefusals {
  @Field(() => String, {
    nullable: true,
    description: 'Of restoring a VM to it, and of making a new VM from it.',
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
    description: 'In which the present is kept; null where nobody wanted that.',
  })
  safetySnapshot!: VmSnapshot | null
}
