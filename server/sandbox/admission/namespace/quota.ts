import { type WebhookRequest, type Resource } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { type Amount, amountOf, count, formatAmount } from './amount.ts'
import { isInScopes } from './scopes.ts'
import { type Usage, added, amountsOf, usageOf } from './usage.ts'

/** Records the usage of a quota in its status. */
type Charge = (quota: KubeObject, status: JsonMap) => void

/**
 * Refuses an object that exceeds a quota of the namespace, and otherwise charges the quota at once.
 * The next request thus sees the current usage, not the last count of the quota controller. When
 * the write fails afterwards, the charge stays until the controller counts again. A quota without
 * a first count limits nothing.
 */
export function mustFitQuotas(request: WebhookRequest, charge: Charge): void {
  const { resource, object, old, dryRun, list } = request
  const { namespace } = object.metadata
  if (namespace === undefined || resource.plural === 'resourcequotas') return
  const quotas = list('resourcequotas', namespace).filter((quota) =>
    isInScopes(quota, resource, object),
  )
  if (quotas.length === 0) return
  const increase = growth(usageOf(resource, object), old ? usageOf(resource, old) : {})
  for (const quota of quotas) mustFit(request, quota, increase)
  if (!dryRun) for (const quota of quotas) chargeTo(quota, increase, charge)
}

function mustFit(
  { resource, object, old }: WebhookRequest,
  quota: KubeObject,
  increase: Usage,
): void {
  const newPod = resource.plural === 'pods' && !old ? object : null
  const why = incomplete(quota, newPod) ?? excess(quota, increase)
  if (why !== null) throw refuse.forbidden(resource, object.metadata.name, { text: why })
}

function chargeTo(quota: KubeObject, increase: Usage, charge: Charge): void {
  const before = amountsIn(read.status(quota).used)
  const growing = Object.keys(limitsOf(quota)).filter((name) => increase[name] !== undefined)
  if (growing.length === 0) return
  const after = added(
    before,
    Object.fromEntries(growing.map((name) => [name, increase[name] ?? count(0)])),
  )
  const used = Object.fromEntries(
    Object.entries(after).map(([name, amount]) => [name, formatAmount(amount)]),
  )
  charge(quota, { ...read.status(quota), used })
}

const amountsIn = (map: Json | undefined): Usage =>
  Object.fromEntries(
    Object.entries(read.map(map)).map(([name, each]) => [name, amountOf(each) ?? count(0)]),
  )

/** The limits in the quota's status, which the quota controller sets when it counts. */
const limitsOf = (quota: KubeObject): Usage => amountsIn(read.status(quota).hard)

/** Returns only amounts that grow, so that an object over its quota can shrink. */
const growth = (after: Usage, before: Usage): Usage =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, amount]) => {
      const value = amount.value - (before[name]?.value ?? 0)
      return value > 0 ? [[name, { ...amount, value }] as const] : []
    }),
  )

const computed = /^(requests\.|limits\.)?(cpu|memory|ephemeral-storage)$/

/** A quota on compute resources requires every container to specify them. */
function incomplete(quota: KubeObject, pod: KubeObject | null): string | null {
  const names = Object.keys(limitsOf(quota)).filter((name) => pod !== null && computed.test(name))
  const containers = pod
    ? [...read.maps(read.spec(pod).initContainers), ...read.maps(read.spec(pod).containers)]
    : []
  const missing = names.sort().flatMap((name) => {
    const side = name.startsWith('limits.') ? 'limits' : 'requests'
    const without = containers.filter(
      (each) => amountsOf(each, side)[name.replace(/^(requests|limits)\./, '')] === undefined,
    )
    return without.length > 0
      ? [`${name} for: ${without.map((each) => read.text(each.name)).join(',')}`]
      : []
  })
  return missing.length > 0
    ? `failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}`
    : null
}

function excess(quota: KubeObject, increase: Usage): string | null {
  const hard = limitsOf(quota)
  const used = amountsIn(read.status(quota).used)
  const names = Object.keys(hard).filter((name) => increase[name] !== undefined)
  const over = names
    .sort()
    .filter(
      (name) => (used[name]?.value ?? 0) + (increase[name]?.value ?? 0) > (hard[name]?.value ?? 0),
    )
  const formatted = (usage: Usage): string =>
    over.map((name) => `${name}=${formatAmount(usage[name] ?? count(0))}`).join(',')
  if (over.length === 0) return null
  return `exceeded quota: ${quota.metadata.name}, requested: ${formatted(increase)}, used: ${formatted(used)}, limited: ${formatted(hard)}`
}

/** Looks up the kinds that the cluster serves. */
export interface KindIndex {
  has(name: string): boolean
  named(name: string): Resource
}

/** Counts the usage of each resource that the quota limits from the namespace's objects. */
export function usedOf(
  quota: KubeObject,
  objectsOf: (kind: string) => KubeObject[],
  kinds: KindIndex,
): Record<string, Amount> {
  const hard = Object.keys(read.map(read.spec(quota).hard))
  const total = countedKinds(hard, kinds).reduce<Usage>((all, name) => {
    const resource = kinds.named(name)
    const objects = objectsOf(name).filter((object) => isInScopes(quota, resource, object))
    return objects.reduce<Usage>((sum, object) => added(sum, usageOf(resource, object)), all)
  }, {})
  return Object.fromEntries(hard.map((name) => [name, total[name] ?? count(0)]))
}

/** The kinds whose objects count towards the limits, each once. */
export function countedKinds(hard: readonly string[], kinds: KindIndex): string[] {
  const counted = hard.flatMap((name) => {
    const byCount = /^count\/(.+)$/.exec(name)?.[1]
    if (byCount !== undefined) return kinds.has(byCount) ? [byCount] : []
    if (name.endsWith('requests.storage') || name.endsWith('persistentvolumeclaims'))
      return ['persistentvolumeclaims']
    if (name.startsWith('services')) return ['services']
    return kinds.has(name) ? [name] : ['pods']
  })
  return [...new Set(counted)]
}
