import { Field, ID, InputType } from 'type-graphql'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'

@InputType()
export class SshKeyFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the fingerprint.',
  })
  search?: string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class SshKeyOrder extends orderOf('SshKeySort', ['createdAt', 'name']) {}

@InputType()
export class CreateSshKeyInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
  })
  name!: string
}

@InputType()
export class RegisterSshKeyInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
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
