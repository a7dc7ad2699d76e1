import { Field, Int, ObjectType, registerEnumType } from 'type-graphql'
import {
  type DeletionImpact,
  type ImpactFate,
  type ImpactItem,
  type ImpactKind,
  impactFates,
  impactKinds,
} from '../../../domain/vm/deletion-impact.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Message } from '../../../engine/model/message.ts'

const KindEnum = enumOf(impactKinds)
registerEnumType(KindEnum, { name: 'VmDeletionImpactKind' })
export const FateEnum = enumOf(impactFates)
registerEnumType(FateEnum, {
  name: 'VmDeletionImpactFate',
  description: 'Lost is for good; released is free for others; kept stays as it is.',
})

@ObjectType({ simpleResolvers: true })
class VmDeletionImpactItem implements ImpactItem {
  @Field(() => KindEnum) kind!: ImpactKind
  @Field(() => FateEnum) fate!: ImpactFate
  @Field(() => String, { nullable: true, description: 'Of the thing.' }) name!: string | null
  @Field(() => Int, { nullable: true }) sizeGi!: number | null
  @Field(() => String, { description: 'The same for people.' }) sentence!: Message
}

@ObjectType({
  simpleResolvers: true,
  description: 'What goes with a VM when it is deleted, and what stays.',
})
export class VmDeletionImpact implements DeletionImpact {
  @Field(() => Boolean) isProtected!: boolean
  @Field(() => String, {
    nullable: true,
    description: 'Why it cannot be deleted now; null when it can.',
  })
  refusal!: Message | null
  @Field(() => [VmDeletionImpactItem]) items!: readonly ImpactItem[]
}
