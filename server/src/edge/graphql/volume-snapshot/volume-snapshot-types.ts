import { Field, ID, Int, ObjectType } from 'type-graphql'
import {
  type SnapshotExplanation,
  type SnapshotExplanationCode,
  snapshotExplanationCodes,
} from '../../../domain/volume-snapshot/explain.ts'
import {
  type VolumeSnapshotState,
  volumeSnapshotStates,
} from '../../../domain/volume-snapshot/state.ts'
import { type VolumeSnapshotView } from '../../../domain/volume-snapshot/volume-snapshot.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Fixer, FixerEnum } from '../vm/vm-enums.ts'
import { type Message } from '../../../engine/model/message.ts'
import { explanationFields } from '../explanation-fields.ts'

export const VolumeSnapshotStateEnum = enumOf('VolumeSnapshotState', volumeSnapshotStates, {
  description: 'The state of a snapshot of a volume.',
  values: {
    creating: 'The snapshot is being taken.',
    ready: 'Volumes can be created from the snapshot.',
    failed: 'The snapshot could not be taken and has no content. Delete it and take another one.',
    lost: 'Another client deleted the snapshot in the cluster. Delete it in Berth too.',
    deleting: 'The snapshot is being deleted.',
  },
})
const CodeEnum = enumOf('VolumeSnapshotExplanationCode', snapshotExplanationCodes, {
  description: 'The kind of problem of a snapshot of a volume.',
  values: {
    failed: 'The snapshot could not be taken. Its operation has the cause.',
    lost: 'Another client deleted the snapshot in the cluster. Delete it in Berth too.',
    platform_incomplete:
      'The platform lacks a component or a right. The operation continues when the operator adds it.',
    retrying: 'The storage could not take the snapshot yet, and tries again. Wait a few minutes.',
  },
})

@ObjectType({ simpleResolvers: true, description: 'Why a snapshot is not as desired.' })
class VolumeSnapshotExplanation implements SnapshotExplanation {
  @Field(() => CodeEnum, explanationFields.code) code!: SnapshotExplanationCode
  @Field(() => String, explanationFields.summary) summary!: Message
  @Field(() => String, explanationFields.nextStep) nextStep!: Message
  @Field(() => FixerEnum, explanationFields.whoCanFix) whoCanFix!: Fixer
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'The content of a volume at one time. It outlives the volume.',
})
export class VolumeSnapshot implements VolumeSnapshotView {
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
  @Field(() => ID, { description: 'The volume of which the snapshot is.' })
  volumeId!: string
  @Field(() => String, { description: 'The name of the volume at that time.' }) volumeName!: string
  @Field(() => Int, { description: 'The size of the volume at that time.' }) sizeGi!: number
  @Field(() => String, { description: 'The storage class of the volume.' })
  storageClass!: string
  @Field(() => ID, {
    nullable: true,
    description: 'The schedule that took the snapshot; null for other snapshots.',
  })
  scheduleId!: string | null
  @Field(() => VolumeSnapshotStateEnum, {
    description: 'The state as last observed in the cluster.',
  })
  state!: VolumeSnapshotState
  @Field(() => DateTime, { description: 'When the state began.' })
  stateSince!: string
  @Field(() => VolumeSnapshotExplanation, {
    nullable: true,
    description: 'Why the snapshot is not as desired. Null when it is.',
  })
  explanation!: SnapshotExplanation | null
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
export class VolumeSnapshotRefusals {
  @Field(() => String, { nullable: true, description: 'Why no volume can be created from it.' })
  restore!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class VolumeSnapshotConnection extends connectionOf<VolumeSnapshotView>(
  VolumeSnapshot,
  'VolumeSnapshot',
) {}

@ObjectType({ simpleResolvers: true })
class VolumeSnapshotPayload {
  @Field(() => VolumeSnapshot) volumeSnapshot!: VolumeSnapshot
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class CreateVolumeSnapshotPayload extends VolumeSnapshotPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteVolumeSnapshotPayload extends VolumeSnapshotPayload {}
