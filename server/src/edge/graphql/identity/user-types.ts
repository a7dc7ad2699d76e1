import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type UserState, type UserView, userStates } from '../../../domain/identity/user.ts'
import { type UserRole, userRoles } from '../../../engine/model/viewer.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

export const UserStateEnum = enumOf('UserState', userStates, {
  description: 'Tells if a user can use Berth.',
  values: {
    active: 'The user can log in.',
    disabled: 'The user cannot log in, and Berth refuses the sessions and API keys of the user.',
  },
})

export const UserRoleEnum = enumOf('UserRole', userRoles, {
  description: 'A short form of the role of a user. The role itself has the permissions.',
  values: {
    root: 'Root manages the platform and may act in every tenant.',
    tenant_admin: 'The user has the built-in role with all permissions in a tenant.',
    user: 'The user has another role, built-in or of the tenant.',
  },
})

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'A user of a tenant, or root.',
})
export class User implements UserView {
  @Field(() => ID) id!: string
  @Field(() => String, { description: 'The name with which the user logs in.' })
  username!: string
  @Field(() => String, { description: 'Empty when it is unknown.' })
  email!: string
  @Field(() => UserRoleEnum, { description: '`root`, the admin of a tenant, or another user.' })
  role!: UserRole
  @Field(() => ID, { description: 'The role with the permissions of the user.' })
  roleId!: string
  @Field(() => String, { description: 'The name of the role.' })
  roleName!: string
  @Field(() => ID) tenantId!: string
  @Field(() => UserStateEnum, { description: 'A disabled user cannot log in.' })
  state!: UserState
  @Field(() => Boolean, {
    description: 'True when a login with the password needs a code of an authenticator app, too.',
  })
  hasSecondFactor!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({ simpleResolvers: true })
export class UserConnection extends connectionOf<UserView>(User, 'User') {}

@ObjectType({ simpleResolvers: true })
export class UserPayload {
  @Field(() => User) user!: User
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class CreateUserPayload extends UserPayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateUserPayload extends UserPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteUserPayload extends UserPayload {}
