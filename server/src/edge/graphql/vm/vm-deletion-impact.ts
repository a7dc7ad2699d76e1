import { Field, Int, ObjectType } from 'type-graphql'
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

const KindEnum = enumOf('VmDeletionImpactKind', impactKinds)
export const FateEnum = enumOf('VmDeletionImpactFate', impactFates, {
  description: 'Lost: gone for good. Released: free for other VMs. Kept: not affected.',
})

@ObjectType({
  simpleResolvers: true,
  description: 'An object that is lost, released or kept when a VM is deleted.',
})
class VmDeletionImpactItem implements ImpactItem {
  @Field(() => KindEnum, { description: 'The kind of the object.' })
  kind!: ImpactKind
  @Field(() => FateEnum, { description: 'Tells if the object is lost, released or kept.' })
  fate!: ImpactFate
  @Field(() => String, { nullable: true, description: 'The name of the object.' }) name!:
    string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The size in GiB; null for an object without a size.',
  })
  sizeGi!: number | null
  @Field(() => String, { description: 'The impact as a sentence.' }) sentence!: Message
}

@ObjectType({
  simpleResolvers: true,
  description: 'Objects that are deleted or released with a VM, and objects that remain.',
})
export class VmDeletionImpact implements DeletionImpact {
  @Field(() => Boolean, { description: 'True when the VM has deletion protection.' })
  isProtected!: boolean
  @Field(() => String, {
    nullable: true,
    description: 'Why the VM cannot be deleted now; null when it can.',
  })
  refusal!: Message | null
  @Field(() => [VmDeletionImpactItem], {
    description: 'The affected objects, and objects that remain.',
  })
  items!: readonly ImpactItem[]
}
