import { Fault, transient } from '../../engine/model/fault.ts'
import { type TenantState } from './tenant.ts'
import { messageOf } from '../../engine/model/message.ts'

export type TenantAction = 'update' | 'delete'

const allowedIn: Record<TenantAction, readonly TenantState[]> = {
  update: ['creating', 'active', 'failed'],
  delete: ['creating', 'active', 'failed'],
}

interface TenantSubject {
  slug: string
  state: TenantState
}

/** The built-in tenant, which is the home tenant of root. */
export const defaultSlug = 'default'

/** Returns why the action is refused now, or null when it is allowed. */
export function tenantRefusal(action: TenantAction, tenant: TenantSubject): Fault | null {
  if (action === 'delete' && tenant.slug === defaultSlug) {
    return new Fault('read_only', messageOf('tenant.default_kept'))
  }
  if (allowedIn[action].includes(tenant.state)) return null
  return new Fault('tenant_deleting', messageOf('tenant.deleting', { slug: tenant.slug }))
}

export function mustAllow(action: TenantAction, tenant: TenantSubject): void {
  const refusal = tenantRefusal(action, tenant)
  if (refusal) throw refusal
}

/** Returns why nothing can be created in the tenant now, or null when it is active. */
export function creationRefusal({ slug, state }: TenantSubject): Fault | null {
  if (state === 'active') return null
  if (state === 'deleting') return closingFault(slug)
  return state === 'creating'
    ? new Fault('tenant_not_ready', messageOf('tenant.not_ready', { slug }), transient)
    : new Fault('tenant_not_ready', messageOf('tenant.failed', { slug }))
}

/** Returns the fault for a new object in a tenant that is being deleted. */
export const closingFault = (slug: string): Fault =>
  new Fault('tenant_deleting', messageOf('tenant.closing', { slug }))

/**
 * Returns the name of the tenant's namespace. The prefix avoids conflicts with namespaces of other
 * software.
 */
export function namespaceFrom(slug: string): string {
  return `berth-${slug}`
}
