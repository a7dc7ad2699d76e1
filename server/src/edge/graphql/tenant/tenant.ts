import { type GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { tenantRefusal } from '../../../domain/tenant/rules.ts'
import { createTenant } from '../../../usecases/tenant/create-tenant.ts'
import { deleteTenant } from '../../../usecases/tenant/delete-tenant.ts'
import { updateTenant } from '../../../usecases/tenant/update-tenant.ts'
import { type FieldContext } from '../context.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { selectedFields } from '../../../engine/graphql/selection.ts'
import { WaitSeconds } from '../wait.ts'
import {
  CreateTenantInput,
  DeleteTenantInput,
  TenantFilter,
  TenantOrder,
  UpdateTenantInput,
} from './tenant-inputs.ts'
import {
  CreateTenantPayload,
  DeleteTenantPayload,
  Tenant,
  TenantConnection,
  TenantRefusals,
  UpdateTenantPayload,
} from './tenant-types.ts'

@Resolver(() => Tenant)
export class TenantResolver {
  @needs('tenants:read')
  @Query(() => Tenant, {
    nullable: true,
    description: 'Finds a tenant by its id; null when there is none.',
  })
  tenant(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.tenants.find(id)
  }

  @needs('tenants:read')
  @Query(() => TenantConnection, { description: 'All tenants, the default one first.' })
  tenants(
    @Ctx() { reads, pageOf }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => TenantFilter, { nullable: true }) filter?: TenantFilter,
    @Arg('orderBy', () => TenantOrder, { nullable: true }) orderBy?: TenantOrder,
  ) {
    return TenantConnection.read(reads.tenants, {
      query: {
        ...filter,
        ...sortOf(orderBy, 'default'),
      },
      page: pageOf(args),
      selected: selectedFields(info),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => TenantRefusals)
  refusals(@Root() tenant: Tenant): TenantRefusals {
    return {
      delete: tenantRefusal('delete', tenant)?.userMessage ?? null,
      update: tenantRefusal('update', tenant)?.userMessage ?? null,
    }
  }

  @needs('tenants:write')
  @Mutation(() => CreateTenantPayload, {
    description:
      'Creates a tenant with its first user, a default VPC and a default security group.',
  })
  createTenant(
    @Ctx() { write, berth }: FieldContext,
    @Arg('input', () => CreateTenantInput) input: CreateTenantInput,
  ) {
    return write((op) => createTenant(op, input, berth.networking))
  }

  @needs('tenants:write')
  @Mutation(() => UpdateTenantPayload, {
    description:
      'Changes the name or the description of a tenant. Its slug and its namespace do not change.',
  })
  updateTenant(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => UpdateTenantInput) input: UpdateTenantInput,
  ) {
    return write((op) => updateTenant(op, input))
  }

  @needs('tenants:write')
  @Mutation(() => DeleteTenantPayload, {
    description: 'Deletes a tenant and everything in it. The default tenant cannot be deleted.',
  })
  deleteTenant(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DeleteTenantInput) input: DeleteTenantInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => deleteTenant(op, input))
  }
}
