import {
  type QuotaLimits,
  type QuotaShare,
  quotaRefusal,
  quotaResources,
} from '../../domain/tenant/quota.ts'
import { type Op } from '../../store/op.ts'

interface Share {
  tenantId: string
  requested: Partial<QuotaShare>
  /** The limits of tenants without their own. */
  defaults: QuotaLimits
}

/**
 * Refuses a request that exceeds the tenant's quota together with the current usage. The lock makes
 * the next request wait for this unit of work and count its rows. Usage is counted from rows, so
 * deleted objects are released automatically.
 */
export async function mustFitQuota(
  op: Op,
  { tenantId, requested, defaults }: Share,
): Promise<void> {
  if (!isLimited((await op.quotas.limitsOf(tenantId)) ?? defaults, requested)) return
  await op.quotas.lock(tenantId)
  const lines = (await op.reads.quotas.linesOf([tenantId], defaults)).get(tenantId) ?? []
  const refusal = quotaRefusal(lines, requested)
  if (refusal) throw refusal
}

/** True when a requested resource is limited. Otherwise nothing is locked or counted. */
const isLimited = (limits: QuotaLimits, requested: Partial<QuotaShare>): boolean =>
  quotaResources.some((resource) => limits[resource] !== null && (requested[resource] ?? 0) > 0)
