import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
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
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { FixerEnum, type Fixer } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

export const VolumeStateEnum = enumOf(volumeStates)
registerEnumType(VolumeStateEnum, { name: 'VolumeState' })
const CodeEnum = enumOf(volumeExplanationCodes)
registerEnumType(CodeEnum, { name: 'VolumeExplanationCode' })

@ObjectType({
  simpleResolvers: true,
  description: 'What there is to know about a volume that is not plain.',
})
class VolumeExplanation implements ExplanationView {
  @Field(() => CodeEnum) code!: VolumeExplanationCode
  @Field(() => String) summary!: Message
  @Field(() => String) nextStep!: Message
  @Field(() => FixerEnum) whoCanFix!: Fixer
}

@ObjectType({ simpleResolvers: true })
export class VolumeHolder {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'A disk that lives by itself, in one VM at a time or in none.',
})
export class Volume implements VolumeView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'Where the cluster has it.' }) namespace!: string
  @Field(() => Int, { description: 'As it was asked for.' }) sizeGi!: number
  @Field(() => String) storageClass!: string
  @Field(() => VolumeStateEnum, { description: 'As it was seen last.' }) state!: VolumeState
  @Field(() => DateTime) stateSince!: string
  @Field(() => VolumeExplanation, { nullable: true, description: 'Null when all is plain.' })
  explanation!: ExplanationView | null
  @Field(() => ID, {
    nullable: true,
    description: 'The snapshot that it began as; null of one that began empty.',
  })
  snapshotId!: string | null
  @Field(() => ID, { nullable: true, description: 'The VM that it is to be in.' }) vmId!:
    string | null
  @Field(() => ID, { nullable: true, description: 'The VM that has not let go of it.' }) heldBy!:
    string | null
  @Field(() => Boolean, {
    description: 'It takes room: since it was made, or since its first use.',
  })
  bound!: boolean
  @Field(() => Boolean) deleting!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now, in words; null when it is allowed.',
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
  @Field(() => Operation, {
    nullable: true,
    description: 'Null where the platform has nothing more to do.',
  })
  operation!: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class AttachVolumePayload extends VolumePayload {}

@ObjectType({ simpleResolvers: true })
export class DetachVolumePayload extends VolumePayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteVolumePayload extends VolumePayload {}
