import {
  type QuotaLimits,
  type QuotaShare,
  eachQuota,
} from '../../../server/src/domain/tenant/quota.ts'

/** The quota of a tenant that may have as much as there is. */
export const unlimited: QuotaLimits = eachQuota(() => null)

/** What a tenant has that has nothing. */
export const nothingUsed: QuotaShare = eachQuota(() => 0)
