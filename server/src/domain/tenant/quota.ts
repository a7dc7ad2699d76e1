import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * The resources that a quota limits. Columns, API input, console fields and test fixtures are
 * derived from the rows; `description` goes into the API.
 */
const limited = {
  vms: {
    description:
      'VMs. For this and all other limits: null means unlimited, and an omitted limit is not changed.',
  },
  vcpus: { description: 'vCPUs of the VMs.' },
  memoryMi: { description: 'Memory of the VMs in MiB.' },
  storageGi: { description: 'Storage of root disks, ISOs and volumes in GiB.' },
  volumes: { description: 'Volumes.' },
  snapshots: { description: 'Snapshots of volumes and of VMs together.' },
  vpcs: { description: 'VPCs.' },
  networks: { description: 'Networks.' },
  publicAddresses: { description: 'Addresses of the public network.' },
} as const satisfies Record<string, { description: string }>

export type QuotaResource = keyof typeof limited
// Object.keys returns strings; the table has no keys other than its resources.
export const quotaResources = Object.keys(limited) as readonly QuotaResource[]
export const quotaDescriptions: Readonly<Record<QuotaResource, { description: string }>> = limited

/** Builds a record with one value for each resource. */
export const eachQuota = <Value>(
  valueOf: (resource: QuotaResource) => Value,
): Record<QuotaResource, Value> =>
  // Object.fromEntries returns string keys; all of them are resources.
  Object.fromEntries(quotaResources.map((resource) => [resource, valueOf(resource)])) as Record<
    QuotaResource,
    Value
  >

/** Tells what counts towards each limit. The enum of the API shows it. */
export const quotaMeanings: Readonly<Record<QuotaResource, string>> = {
  vms: 'The number of VMs, whether they run or not.',
  vcpus: 'The vCPUs of all VMs, whether they run or not.',
  memoryMi: 'The memory of all VMs in MiB, whether they run or not.',
  storageGi: 'The size of all volumes, persistent root disks and ISOs in GiB.',
  volumes: 'The number of volumes, without the disks that belong to VMs themselves.',
  snapshots: 'The number of snapshots of volumes and of VMs together.',
  vpcs: 'The number of VPCs.',
  networks: 'The number of networks.',
  publicAddresses: 'The number of addresses of the public network.',
}

/** The limits of a tenant; null means unlimited. */
export type QuotaLimits = Readonly<Record<QuotaResource, number | null>>
export type QuotaShare = Readonly<Record<QuotaResource, number>>

export interface QuotaLine {
  resource: QuotaResource
  limit: number | null
  used: number
}

/** Completes the configured limits: a resource that is not named is unlimited. */
export const limitsFrom = (configured: Partial<QuotaLimits>): QuotaLimits =>
  eachQuota((resource) => configured[resource] ?? null)

export const quotaLines = (limits: QuotaLimits, used: QuotaShare): QuotaLine[] =>
  quotaResources.map((resource) => ({ resource, limit: limits[resource], used: used[resource] }))

/** Returns why the request would exceed the quota, with the numbers, or null when it fits. */
export function quotaRefusal(
  lines: readonly QuotaLine[],
  requested: Partial<QuotaShare>,
): Fault | null {
  const exceeded = lines.flatMap(({ resource, limit, used }) => {
    const more = requested[resource] ?? 0
    // A resource that is not requested is never refused, even when a lowered limit is exceeded
    // already.
    return limit !== null && more > 0 && used + more > limit
      ? [messageOf(`quota.line.${resource}`, { limit, used, asked: more })]
      : []
  })
  if (exceeded.length === 0) return null
  return new Fault('quota_exceeded', messageOf('quota.exceeded', { lines: exceeded }))
}

const maxLimit = 2_147_483_647

/** Applies an update to the limits: null removes a limit, a missing value keeps it. */
export function changedLimits(limits: QuotaLimits, requested: Partial<QuotaLimits>): QuotaLimits {
  const changed = { ...limits }
  for (const resource of quotaResources) {
    const limit = requested[resource]
    if (limit !== undefined) changed[resource] = requireLimit(resource, limit)
  }
  return changed
}

function requireLimit(resource: QuotaResource, limit: number | null): number | null {
  if (limit === null || (Number.isInteger(limit) && limit >= 0 && limit <= maxLimit)) return limit
  throw invalid(resource, messageOf('field.no_limit_or_whole', { most: maxLimit }))
}
