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
 * Deals free places one by one to the tenant that has the fewest running, counting what was dealt.
 * One tenant's thousand waiting keys cost another tenant's only key nothing. The tenants come in
 * the order that breaks ties.
 */
export function shareTurns(tenants: readonly WaitingTenant[], places: number): TenantTurn[] {
  const open = tenants.map((tenant) => ({ ...tenant, take: 0 }))
  for (let place = 0; place < places; place += 1) {
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
