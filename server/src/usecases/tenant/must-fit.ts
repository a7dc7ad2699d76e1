import {
  type QuotaLimits,
  type QuotaShare,
  quotaRefusal,
  quotaResources,
} from '../../domain/tenant/quota.ts'
import { type Op } from '../../store/op.ts'

interface Share {
  tenantId: string
  asked: Partial<QuotaShare>
  /** The limits of tenants that have none of their own. */
  defaults: QuotaLimits
}

/**
 * Refuses what the tenant's quota does not allow on top of what it has. Whoever asks next waits
 * until this unit has ended, and then counts what it left: so exactly that is admitted which fits,
 * and what is gone is free without anybody giving it back.
 */
export async function mustFit(op: Op, { tenantId, asked, defaults }: Share): Promise<void> {
  if (!isLimited((await op.quotas.limitsOf(tenantId)) ?? defaults, asked)) return
  await op.quotas.lock(tenantId)
  const lines = (await op.reads.quotas.linesOf([tenantId], defaults)).get(tenantId) ?? []
  const refusal = quotaRefusal(lines, asked)
  if (refusal) throw refusal
}

/** Where nothing of it is limited nobody waits for anybody, and nothing is counted. */
const isLimited = (limits: QuotaLimits, asked: Partial<QuotaShare>): boolean =>
  quotaResources.some((resource) => limits[resource] !== null && (asked[resource] ?? 0) > 0)
