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
import { FixerEnum, type Fixer } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

export const VolumeStateEnum = enumOf('VolumeState', volumeStates)
const CodeEnum = enumOf('VolumeExplanationCode', volumeExplanationCodes)

@ObjectType({
  simpleResolvers: true,
  description: 'Why a volume is not as expected.',
})
class VolumeExplanation implements ExplanationView {
  @Field(() => CodeEnum, { description: 'The kind of the problem. Clients branch on it.' })
  code!: VolumeExplanationCode
  @Field(() => String, { description: 'The problem as a sentence.' })
  summary!: Message
  @Field(() => String, { description: 'The remedy as a sentence.' })
  nextStep!: Message
  @Field(() => FixerEnum, { description: 'Tells who can apply the remedy.' })
  whoCanFix!: Fixer
}

@ObjectType({ simpleResolvers: true })
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
  @Field(() => DateTime) stateSince!: string
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
  @Field(() => Boolean) deleting!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class VolumeRefusals implements Readonly<Record<VolumeAction, Message | null>> {
  @Field(() => String, { nullable: true }) attach!: Message | null
  @Field(() => String, { nullable: true }) detach!: Message | null
  @Field(() => String, { nullable: true }) resize!: Message | null
  @Field(() => String, { nullable: true }) rename!: Message | null
  @Field(() => String, { nullable: true }) snapshot!: Message | null
  @Field(() => String, { nullable: true }) delete!: Message | null
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
