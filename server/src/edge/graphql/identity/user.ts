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
  @Query(() => User, {
    nullable: true,
    description: 'Finds a user by its id; null when there is none.',
  })
  user(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.users.find(id)
  }

  @needs('users:read')
  @Query(() => UserConnection, { description: 'The users of the tenant.' })
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
  @Mutation(() => CreateUserPayload, {
    description:
      'Creates a user of the tenant. Its role can have only permissions that the caller has.',
  })
  createUser(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateUserInput) input: CreateUserInput,
  ) {
    return write((op) => createUser(op, input))
  }

  @needs('users:write')
  @Mutation(() => UpdateUserPayload, {
    description: 'Changes a user. A user who is disabled or gets another role must log in again.',
  })
  updateUser(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => UpdateUserInput) input: UpdateUserInput,
  ) {
    return write((op) => updateUser(op, input))
  }

  @needs('users:write')
  @Mutation(() => DeleteUserPayload, {
    description:
      'Deletes a user with its API keys, and ends its logins. The last active admin of a tenant cannot be deleted.',
  })
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
