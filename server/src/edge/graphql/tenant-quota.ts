import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { type QuotaLine } from '../../domain/tenant/quota.ts'
import { updateTenantQuota } from '../../usecases/tenant/update-tenant-quota.ts'
import { type FieldContext, type GraphRequest } from './context.ts'
import { asItsObject, needs } from './needs.ts'
import { QuotaUsage, UpdateTenantQuotaInput, UpdateTenantQuotaPayload } from './tenant-quota-types.ts'
import { Tenant } from './tenant-types.ts'

@Resolver(() => Tenant)
export class TenantQuotaResolver {
  @asItsObject()
  @FieldResolver(() => [QuotaUsage], { description: 'What it may have, and has.' })
  quota(@Ctx() request: GraphRequest, @Root() { id }: Tenant): Promise<QuotaLine[]> {
    return linesOf(request, id)
  }

  @needs('tenants:write')
  @Mutation(() => UpdateTenantQuotaPayload)
  updateTenantQuota(@Ctx() { write, berth }: FieldContext, @Arg('input', () => UpdateTenantQuotaInput) input: UpdateTenantQuotaInput) {
    return write((op) => updateTenantQuota(op, input, berth.quotaDefaults))
  }
}

interface Gathering {
  ids: Set<string>
  lines: Promise<ReadonlyMap<string, QuotaLine[]>>
}

const gatherings = new WeakMap<GraphRequest, Gathering>()

/** One statement for all tenants that a request shows side by side. Whoever sees a tenant may see this of it, so no tenant's scope narrows the read. */
async function linesOf(request: GraphRequest, id: string): Promise<QuotaLine[]> {
  const gathering = gatherings.get(request) ?? gather(request)
  gathering.ids.add(id)
  return (await gathering.lines).get(id) ?? []
}

function gather(request: GraphRequest): Gathering {
  const ids = new Set<string>()
  const read = (): Promise<ReadonlyMap<string, QuotaLine[]>> => {
    gatherings.delete(request)
    return request.berth.reads('platform').quotas.linesOf([...ids], request.berth.quotaDefaults)
  }
  const gathering = { ids, lines: Promise.resolve().then(read) }
  gatherings.set(request, gathering)
  return gathering
}
