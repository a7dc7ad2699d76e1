import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { allChangeKinds } from '../../../domain/nouns.ts'
import { type ChangeKind } from '../../../engine/model/change.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'

export const ChangeKindEnum = enumOf(allChangeKinds)
registerEnumType(ChangeKindEnum, { name: 'ChangeKind' })

@ObjectType({
  simpleResolvers: true,
  description:
    'Something changed: read it again. `gap` says that older changes are no longer kept and everything must be read again.',
})
export class Change {
  @Field(() => String, { description: 'What to send as `after` to go on from here.' })
  cursor!: string
  @Field(() => ChangeKindEnum, { nullable: true }) kind!: ChangeKind | null
  @Field(() => ID, { nullable: true }) objectId!: string | null
  @Field(() => ID, { nullable: true }) tenantId!: string | null
  @Field(() => Int, { nullable: true }) version!: number | null
  @Field(() => Boolean) gap!: boolean
}
