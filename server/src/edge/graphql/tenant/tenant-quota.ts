import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { type QuotaLine } from '../../../domain/tenant/quota.ts'
import { updateTenantQuota } from '../../../usecases/tenant/update-tenant-quota.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import {
  QuotaUsage,
  type TenantQuotaChange,
  UpdateTenantQuotaInput,
  UpdateTenantQuotaPayload,
} from './tenant-quota-types.ts'
import { Tenant } from './tenant-types.ts'

@Resolver(() => Tenant)
export class TenantQuotaResolver {
  @sameAccessAsObject()
  @FieldResolver(() => [QuotaUsage], {
    description: 'The limits of the tenant, and how much of them it uses.',
  })
  async quota(@Ctx() request: GraphRequest, @Root() { id }: Tenant): Promise<QuotaLine[]> {
    return (await linesOf(request, id)) ?? []
  }

  @needs('tenants:write')
  @Mutation(() => UpdateTenantQuotaPayload, {
    description:
      'Changes the limits of a tenant, to which the default limits then no longer apply. Existing objects remain.',
  })
  updateTenantQuota(
    @Ctx() { write, berth }: FieldContext,
    @Arg('input', () => UpdateTenantQuotaInput) input: TenantQuotaChange,
  ) {
    return write((op) => updateTenantQuota(op, input, berth.quotaDefaults))
  }
}

/** A caller who sees a tenant may see its quota, so the read needs no tenant's scope. */
const linesOf = batchRead(({ berth }, ids) =>
  berth.reads('platform').quotas.linesOf(ids, berth.quotaDefaults),
)
