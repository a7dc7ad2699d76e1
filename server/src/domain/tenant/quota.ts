import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Everything that a tenant can be limited in. Columns, the input of the API, the fields of the
 * console and the fixtures follow the rows; `about` is the API's description.
 */
const limited = {
  vms: { about: 'Here and below: null is no limit, and what is not named stays.' },
  vcpus: {},
  memoryMi: {},
  storageGi: {},
  volumes: {},
  snapshots: { about: 'Of volumes and of VMs together.' },
  vpcs: {},
  networks: {},
  publicAddresses: { about: 'Of the public network.' },
} as const satisfies Record<string, { about?: string }>

export type QuotaResource = keyof typeof limited
// Object.keys gives strings; the table has no other keys than its resources.
export const quotaResources = Object.keys(limited) as readonly QuotaResource[]
export const aboutQuota: Readonly<Record<QuotaResource, { about?: string }>> = limited

/** One value for each resource. */
export const eachQuota = <Value>(
  valueOf: (resource: QuotaResource) => Value,
): Record<QuotaResource, Value> =>
  // Object.fromEntries gives strings; the keys are all resources.
  Object.fromEntries(quotaResources.map((resource) => [resource, valueOf(resource)])) as Record<
    QuotaResource,
    Value
  >

/** The most that a tenant may have of each; null is as much as there is. */
export type QuotaLimits = Readonly<Record<QuotaResource, number | null>>
export type QuotaShare = Readonly<Record<QuotaResource, number>>

export interface QuotaLine {
  resource: QuotaResource
  limit: number | null
  used: number
}

/** The limits of the configuration, which need not name each resource. */
export const limitsFrom = (named: Partial<QuotaLimits>): QuotaLimits =>
  eachQuota((resource) => named[resource] ?? null)

export const quotaLines = (limits: QuotaLimits, used: QuotaShare): QuotaLine[] =>
  quotaResources.map((resource) => ({ resource, limit: limits[resource], used: used[resource] }))

/** Why the tenant cannot have this on top of what it has, in numbers; null when it can. */
export function quotaRefusal(
  lines: readonly QuotaLine[],
  asked: Partial<QuotaShare>,
): Fault | null {
  const tight = lines.flatMap(({ resource, limit, used }) => {
    const more = asked[resource] ?? 0
    // What is not asked for is not refused, also where a lowered limit has made it too much
    // already.
    return limit !== null && more > 0 && used + more > limit
      ? [messageOf(`quota.line.${resource}`, { limit, used, asked: more })]
      : []
  })
  if (tight.length === 0) return null
  return new Fault('quota_exceeded', messageOf('quota.exceeded', { lines: tight }))
}

const mostOfAnything = 2_147_483_647

/** The limits with what was asked to change: null lifts a limit, what is not named stays. */
export function changedLimits(limits: QuotaLimits, asked: Partial<QuotaLimits>): QuotaLimits {
  const changed = { ...limits }
  for (const resource of quotaResources) {
    const limit = asked[resource]
    if (limit !== undefined) changed[resource] = requireLimit(resource, limit)
  }
  return changed
}

function requireLimit(resource: QuotaResource, limit: number | null): number | null {
  if (limit === null || (Number.isInteger(limit) && limit >= 0 && limit <= mostOfAnything))
    return limit
  throw invalid(resource, messageOf('field.no_limit_or_whole'))
}
