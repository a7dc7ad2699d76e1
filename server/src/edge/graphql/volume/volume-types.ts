import { Field, ID, Int, ObjectType } from 'type-graphql'
import {
  type VolumeExplanation as ExplanationView,
  type VolumeExplanationCode,
  volumeExplanationCodes,
} from '../../../domain/volume/explain.ts'
import { type VolumeAction } from '../../../domain/volume/refusals.ts'
import { type VolumeState, volumeStates } from '../../../domain/volume/state.ts'
import { type VolumeView } from '../../../domain/volume/volume.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { FixerEnum, type Fixer } from '../vm/vm-enums.ts'
import { type Message } from '../../../engine/model/message.ts'
import { explanationFields } from '../explanation-fields.ts'

export const VolumeStateEnum = enumOf('VolumeState', volumeStates, {
  description: 'The state of a volume.',
  values: {
    creating: 'The volume is being created.',
    ready: 'The volume can be attached to a VM.',
    attaching: 'The volume is being attached to its VM.',
    attached: 'The VM has the volume, or gets it with its next start.',
    detaching: 'The VM has not released the volume yet.',
    resizing: 'The volume is growing to its requested size.',
    lost: 'Another client deleted the volume in the cluster. Its data is gone.',
    failed: 'The volume could not be created and has no content. Its operation has the cause.',
    deleting: 'The volume is being deleted.',
  },
})
const CodeEnum = enumOf('VolumeExplanationCode', volumeExplanationCodes, {
  description: 'Why a volume is not as expected.',
  values: {
    class_unusable: 'The storage class cannot hold the volume. Create it with another one.',
    failed: 'The volume could not be created. Its operation has the cause.',
    first_use: 'The volume gets its storage when a VM first runs with it.',
    guest_lacks_it: 'The VM does not have the volume yet. Wait a moment.',
    guest_holds_it: 'The VM still has the volume. Unmount it in the guest, or stop the VM.',
    lost: 'Another client deleted the volume in the cluster. A snapshot of it can be restored.',
    platform_incomplete:
      'The platform lacks a component or a right. The operation continues when the operator adds it.',
    quota_exceeded:
      'A limit of the tenant blocks the volume. Delete volumes, or ask the operator for a higher limit.',
    resize_waits: 'The storage has not grown the volume yet. Wait, or tell the operator.',
    storage_slow: 'The storage has no free space at the moment, and tries again. Wait.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'Why a volume is not as expected.',
})
class VolumeExplanation implements ExplanationView {
  @Field(() => CodeEnum, explanationFields.code)
  code!: VolumeExplanationCode
  @Field(() => String, explanationFields.summary)
  summary!: Message
  @Field(() => String, explanationFields.nextStep)
  nextStep!: Message
  @Field(() => FixerEnum, explanationFields.whoCanFix)
  whoCanFix!: Fixer
}

@ObjectType({ simpleResolvers: true, description: 'The VM that holds a volume.' })
export class VolumeHolder {
  @Field(() => ID, { description: 'The id of the VM.' }) id!: string
  @Field(() => String, { description: 'The name of the VM.' }) name!: string
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'A disk that exists apart from VMs. It is attached to at most one VM.',
})
export class Volume implements VolumeView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The namespace of the volume in the cluster.' })
  namespace!: string
  @Field(() => Int, { description: 'The requested size.' }) sizeGi!: number
  @Field(() => String, { description: 'The storage class of the volume.' })
  storageClass!: string
  @Field(() => VolumeStateEnum, { description: 'The state as last observed in the cluster.' })
  state!: VolumeState
  @Field(() => DateTime, { description: 'When the state began.' })
  stateSince!: string
  @Field(() => VolumeExplanation, {
    nullable: true,
    description: 'Why the volume is not as expected. Null when it is.',
  })
  explanation!: ExplanationView | null
  @Field(() => ID, {
    nullable: true,
    description: 'The snapshot from which the volume was created; null when it was created empty.',
  })
  snapshotId!: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The VM to which the volume is attached, or will be.',
  })
  vmId!: string | null
  @Field(() => ID, { nullable: true, description: 'The VM that has not released the volume yet.' })
  heldBy!: string | null
  @Field(() => Boolean, {
    description: 'True when the volume has storage: since its creation, or since its first use.',
  })
  bound!: boolean
  @Field(() => Boolean, { description: 'True while the volume is being deleted.' })
  deleting!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class VolumeRefusals implements Readonly<Record<VolumeAction, Message | null>> {
  @Field(() => String, { nullable: true, description: 'Why the volume cannot be attached.' })
  attach!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the volume cannot be detached.' })
  detach!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the volume cannot be made larger.' })
  resize!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the volume cannot be renamed.' })
  rename!: Message | null
  @Field(() => String, {
    nullable: true,
    description: 'Why no snapshot can be taken of the volume.',
  })
  snapshot!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the volume cannot be deleted.' })
  delete!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class VolumeConnection extends connectionOf<VolumeView>(Volume, 'Volume') {}

@ObjectType({ simpleResolvers: true })
class VolumePayload {
  @Field(() => Volume) volume!: Volume
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class CreateVolumePayload extends VolumePayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateVolumePayload {
  @Field(() => Volume) volume!: Volume
  @Field(() => Operation, { nullable: true }) operation!: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class AttachVolumePayload extends VolumePayload {}

@ObjectType({ simpleResolvers: true })
export class DetachVolumePayload extends VolumePayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteVolumePayload extends VolumePayload {}
