import { Fault } from '../../engine/model/fault.ts'
import { type TenantState } from './tenant.ts'
import { messageOf } from '../../engine/model/message.ts'

export type TenantAction = 'update' | 'delete'

const allowedIn: Record<TenantAction, readonly TenantState[]> = {
  update: ['creating', 'active', 'failed'],
  delete: ['creating', 'active', 'failed'],
}

interface Ruled {
  slug: string
  state: TenantState
}

/** The tenant that comes with the platform; root lives in it. */
export const defaultSlug = 'default'

/** Why the action is refused now, in words for a user; null when it is allowed. */
export function tenantRefusal(action: TenantAction, tenant: Ruled): Fault | null {
  if (action === 'delete' && tenant.slug === defaultSlug) {
    return new Fault('read_only', messageOf('tenant.default_kept'))
  }
  if (allowedIn[action].includes(tenant.state)) return null
  return new Fault('tenant_deleting', messageOf('tenant.deleting', { slug: tenant.slug }))
}

export function mustAllow(action: TenantAction, tenant: Ruled): void {
  const refusal = tenantRefusal(action, tenant)
  if (refusal) throw refusal
}

/** The tenant's namespace in the cluster; the prefix keeps clear of names that others use. */
export function namespaceFrom(slug: string): string {
  return `berth-${slug}`
}
