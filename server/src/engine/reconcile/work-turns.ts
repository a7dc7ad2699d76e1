export interface WaitingTenant {
  readonly tenantId: string
  readonly running: number
  readonly waiting: number
}

export interface TenantTurn {
  readonly tenantId: string
  readonly take: number
}

/**
 * Assigns free slots of the worker one by one to the tenant with the fewest running and assigned
 * work keys. A thousand waiting keys of one tenant do not delay another tenant's only key. The
 * order of the tenants breaks ties.
 */
export function shareTurns(tenants: readonly WaitingTenant[], slots: number): TenantTurn[] {
  const open = tenants.map((tenant) => ({ ...tenant, take: 0 }))
  for (let slot = 0; slot < slots; slot += 1) {
    const next = fewest(open.filter(({ take, waiting }) => take < waiting))
    if (!next) break
    next.take += 1
  }
  return open.filter(({ take }) => take > 0).map(({ tenantId, take }) => ({ tenantId, take }))
}

function fewest<T extends { running: number; take: number }>(tenants: readonly T[]): T | undefined {
  return tenants.reduce<T | undefined>(
    (best, tenant) =>
      best && best.running + best.take <= tenant.running + tenant.take ? best : tenant,
    undefined,
  )
}
