import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type UserState, type UserView, userStates } from '../../../domain/identity/user.ts'
import { type UserRole, userRoles } from '../../../engine/model/viewer.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

export const UserStateEnum = enumOf('UserState', userStates)

export const UserRoleEnum = enumOf('UserRole', userRoles)

@ObjectType({ simpleResolvers: true })
export class User implements UserView {
  @Field(() => ID) id!: string
  @Field(() => String) username!: string
  @Field(() => String) email!: string
  @Field(() => UserRoleEnum) role!: UserRole
  @Field(() => ID) roleId!: string
  @Field(() => String) roleName!: string
  @Field(() => ID) tenantId!: string
  @Field(() => UserStateEnum) state!: UserState
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
