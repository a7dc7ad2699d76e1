import { Field, ID, InputType, registerEnumType } from 'type-graphql'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'

@InputType()
export class SshKeyFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the fingerprint.',
  })
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
    description: 'Lower-case letters, digits and dashes. Other text is converted to a slug.',
  })
  name!: string
}

@InputType()
export class RegisterSshKeyInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is converted to a slug.',
  })
  name!: string
  @Field(() => String, {
    description:
      'One line in the format of authorized_keys, without options. The comment is removed.',
  })
  publicKey!: string
}

@InputType()
export class DeleteSshKeyInput {
  @Field(() => ID) id!: string
}
