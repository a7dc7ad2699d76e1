import { Field, ID, Int, ObjectType } from 'type-graphql'
import { allChangeKinds } from '../../../domain/nouns.ts'
import { type ChangeKind } from '../../../engine/model/change.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'

/** The GraphQL type of a kind has the same words in its name. */
const typeNameOf = (kind: ChangeKind): string =>
  kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

export const ChangeKindEnum = enumOf('ChangeKind', allChangeKinds, {
  description: 'The kind of an object that changed.',
  values: (kind) => `The object is of the type \`${typeNameOf(kind)}\`.`,
})

@ObjectType({
  simpleResolvers: true,
  description:
    'Tells that an object changed; read it again. `gap` means that older changes are no longer stored, so read everything again.',
})
export class Change {
  @Field(() => String, { description: 'Pass it as `after` to resume behind this change.' })
  cursor!: string
  @Field(() => ChangeKindEnum, {
    nullable: true,
    description: 'The kind of the object; null for a gap.',
  })
  kind!: ChangeKind | null
  @Field(() => ID, { nullable: true, description: 'The id of the object; null for a gap.' })
  objectId!: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The tenant of the object; null for an object of the platform, and for a gap.',
  })
  tenantId!: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The version of the object after the change; null for a gap.',
  })
  version!: number | null
  @Field(() => Boolean, {
    description: 'True when older changes are no longer stored, so read everything again.',
  })
  gap!: boolean
}
