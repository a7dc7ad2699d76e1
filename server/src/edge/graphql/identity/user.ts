import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { createUser } from '../../../usecases/identity/create-user.ts'
import { deleteUser } from '../../../usecases/identity/delete-user.ts'
import { updateUser } from '../../../usecases/identity/update-user.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  CreateUserInput,
  DeleteUserInput,
  UpdateUserInput,
  UserFilter,
  UserOrder,
} from './user-inputs.ts'
import {
  CreateUserPayload,
  DeleteUserPayload,
  UpdateUserPayload,
  User,
  UserConnection,
} from './user-types.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'
import { type UserView } from '../../../domain/identity/user.ts'

@Resolver(() => User)
export class UserResolver {
  @needs('users:read')
  @Query(() => User, { nullable: true })
  user(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.users.find(id)
  }

  @needs('users:read')
  @Query(() => UserConnection)
  users(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => UserFilter, { nullable: true }) filter?: UserFilter,
    @Arg('orderBy', () => UserOrder, { nullable: true }) orderBy?: UserOrder,
  ) {
    return UserConnection.read(reads.users, {
      query: { search: filter?.search ?? null, ...sortOf(orderBy, 'username') },
      page: pageOf(args),
    })
  }

  @needs('users:write')
  @Mutation(() => CreateUserPayload)
  createUser(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateUserInput) input: CreateUserInput,
  ) {
    return write((op) => createUser(op, input))
  }

  @needs('users:write')
  @Mutation(() => UpdateUserPayload)
  updateUser(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => UpdateUserInput) input: UpdateUserInput,
  ) {
    return write((op) => updateUser(op, input))
  }

  @needs('users:write')
  @Mutation(() => DeleteUserPayload)
  deleteUser(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteUserInput) input: DeleteUserInput,
  ) {
    return write((op) => deleteUser(op, input))
  }
}

export const UserObjectsResolver = relatedObjects<UserView>(User, {
  ...itsTenant,
})
