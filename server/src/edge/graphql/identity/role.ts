import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { createRole } from '../../../usecases/identity/create-role.ts'
import { deleteRole } from '../../../usecases/identity/delete-role.ts'
import { updateRole } from '../../../usecases/identity/update-role.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { requestedSort } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  CreateRoleInput,
  CreateRolePayload,
  DeleteRoleInput,
  DeleteRolePayload,
  Role,
  RoleConnection,
  RoleOrder,
  UpdateRoleInput,
  UpdateRolePayload,
} from './role-types.ts'

@Resolver(() => Role)
export class RoleResolver {
  @needs('users:read')
  @Query(() => Role, {
    nullable: true,
    description: 'Finds a role by its id; null when there is none.',
  })
  role(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.roles.find(id)
  }

  @needs('users:read')
  @Query(() => RoleConnection, {
    description: 'The roles of the platform and the tenant’s own roles.',
  })
  roles(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('orderBy', () => RoleOrder, { nullable: true }) orderBy?: RoleOrder,
  ) {
    return RoleConnection.read(reads.roles, { query: requestedSort(orderBy), page: pageOf(args) })
  }

  @needs('users:write')
  @Mutation(() => CreateRolePayload, {
    description: 'Creates a role of the tenant. It can have only permissions that the caller has.',
  })
  createRole(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateRoleInput) input: CreateRoleInput,
  ) {
    return write((op) => createRole(op, input))
  }

  @needs('users:write')
  @Mutation(() => UpdateRolePayload, {
    description:
      'Changes the description or the permissions of a role of the tenant. Its users have the new permissions within seconds.',
  })
  updateRole(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => UpdateRoleInput) input: UpdateRoleInput,
  ) {
    return write((op) => updateRole(op, input))
  }

  @needs('users:write')
  @Mutation(() => DeleteRolePayload, {
    description: 'Deletes a role of the tenant that no user has.',
  })
  deleteRole(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteRoleInput) input: DeleteRoleInput,
  ) {
    return write((op) => deleteRole(op, input))
  }
}
