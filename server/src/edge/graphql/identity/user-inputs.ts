import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { type UserState } from '../../../domain/identity/user.ts'
import { UserStateEnum } from './user-types.ts'

@InputType()
export class UserFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the e-mail address.',
  })
  search?: string | null
}

@InputType()
export class UserOrder extends orderOf('UserSort', ['createdAt', 'username']) {}

@InputType()
export class CreateUserInput {
  @Field(() => String, {
    description:
      'The name of the user, which is unique in the tenant. The user logs in as `tenant/name`.',
  })
  username!: string
  @Field(() => String, { description: 'The first password of the user.' })
  password!: string
  @Field(() => String, {
    nullable: true,
    description: 'The e-mail address, which Berth only shows.',
  })
  email?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The id of the role. It takes precedence over `roleName`.',
  })
  roleId?: string | null
  @Field(() => String, {
    nullable: true,
    description:
      'The name of the role; `tenant.operator` when neither `roleId` nor `roleName` is set.',
  })
  roleName?: string | null
}

@InputType()
export class UpdateUserInput {
  @Field(() => ID) id!: string
  @Field(() => String, {
    nullable: true,
    description: 'The e-mail address, which Berth only shows. An empty text removes it.',
  })
  email?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The id of the new role. It takes precedence over `roleName`.',
  })
  roleId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the new role, when `roleId` is not set.',
  })
  roleName?: string | null
  @Field(() => UserStateEnum, {
    nullable: true,
    description: 'The state. A disabled user cannot log in, and its logins end.',
  })
  state?: UserState | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class DeleteUserInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
