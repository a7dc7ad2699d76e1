import {
  type QuotaLimits,
  type QuotaShare,
  eachQuota,
} from '../../../server/src/domain/tenant/quota.ts'

/** A quota without limits, which are null. */
export const unlimited: QuotaLimits = eachQuota(() => null)

/** The usage of a tenant without objects. */
export const nothingUsed: QuotaShare = eachQuota(() => 0)
