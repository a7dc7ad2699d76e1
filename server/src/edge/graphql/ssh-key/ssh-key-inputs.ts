import { Field, ID, InputType, registerEnumType } from 'type-graphql'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'

@InputType()
export class SshKeyFilter {
  @Field(() => String, { nullable: true, description: 'Part of the name or of the fingerprint.' })
  search?: string | null
}

const sorts = ['createdAt', 'name'] as const
const SshKeySort = enumOf(sorts)
registerEnumType(SshKeySort, { name: 'SshKeySort' })

@InputType()
export class SshKeyOrder {
  @Field(() => SshKeySort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType()
export class CreateSshKeyInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes; other text is slugged.',
  })
  name!: string
}

@InputType()
export class RegisterSshKeyInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes; other text is slugged.',
  })
  name!: string
  @Field(() => String, {
    description: 'One line, as in authorized_keys but without options; the comment is dropped.',
  })
  publicKey!: string
}

@InputType()
export class DeleteSshKeyInput {
  @Field(() => ID) id!: string
}
