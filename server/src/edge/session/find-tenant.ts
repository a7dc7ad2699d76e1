import { type TenantView } from '../../domain/tenant/tenant.ts'
import { type Berth } from '../../usecases/berth.ts'

/** Returns the tenant with this id or slug; null when there is none. */
export async function findTenant(
  berth: Pick<Berth, 'reads'>,
  named: string,
): Promise<TenantView | null> {
  const { tenants } = berth.reads('platform')
  return (await tenants.find(named)) ?? tenants.findBySlug(named)
}
