import { type Admittance, type Resource } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { type Amount, amountOf, count, written } from './amount.ts'
import { isInScopes } from './scopes.ts'
import { type Usage, added, amountsOf, usageOf } from './usage.ts'

/** Writes down what has been taken of a quota. */
type Charge = (quota: KubeObject, status: JsonMap) => void

/**
 * Refuses what would take more than a quota of the namespace leaves, and charges it with the rest
 * at once: whoever comes next is told what is used now, not what the quota controller counted last.
 * The charge stays when nothing comes of the write after all, until that controller counts again. A
 * quota that it has not seen yet limits nothing.
 */
export function mustFitQuotas(asked: Admittance, charge: Charge): void {
  const { resource, object, old, dryRun, list } = asked
  const { namespace } = object.metadata
  if (namespace === undefined || resource.plural === 'resourcequotas') return
  const quotas = list('resourcequotas', namespace).filter((quota) =>
    isInScopes(quota, resource, object),
  )
  if (quotas.length === 0) return
  const wanted = growth(usageOf(resource, object), old ? usageOf(resource, old) : {})
  for (const quota of quotas) mustFit(asked, quota, wanted)
  if (!dryRun) for (const quota of quotas) chargeTo(quota, wanted, charge)
}

function mustFit({ resource, object, old }: Admittance, quota: KubeObject, wanted: Usage): void {
  const newPod = resource.plural === 'pods' && !old ? object : null
  const why = incomplete(quota, newPod) ?? excess(quota, wanted)
  if (why !== null) throw refuse.forbidden(resource, object.metadata.name, { text: why })
}

function chargeTo(quota: KubeObject, wanted: Usage, charge: Charge): void {
  const before = amountsIn(read.status(quota).used)
  const growing = Object.keys(limitsOf(quota)).filter((name) => wanted[name] !== undefined)
  if (growing.length === 0) return
  const after = added(
    before,
    Object.fromEntries(growing.map((name) => [name, wanted[name] ?? count(0)])),
  )
  const used = Object.fromEntries(
    Object.entries(after).map(([name, amount]) => [name, written(amount)]),
  )
  charge(quota, { ...read.status(quota), used })
}

const amountsIn = (map: Json | undefined): Usage =>
  Object.fromEntries(
    Object.entries(read.map(map)).map(([name, each]) => [name, amountOf(each) ?? count(0)]),
  )

/** What it limits as far as somebody has counted what of it is used. */
const limitsOf = (quota: KubeObject): Usage => amountsIn(read.status(quota).hard)

/** Only what becomes more is checked, so that what is over already can be made smaller. */
const growth = (after: Usage, before: Usage): Usage =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, amount]) => {
      const value = amount.value - (before[name]?.value ?? 0)
      return value > 0 ? [[name, { ...amount, value }] as const] : []
    }),
  )

const computed = /^(requests\.|limits\.)?(cpu|memory|ephemeral-storage)$/

/** Where a quota limits what containers take, each must say what it takes. */
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

function excess(quota: KubeObject, wanted: Usage): string | null {
  const hard = limitsOf(quota)
  const used = amountsIn(read.status(quota).used)
  const asked = Object.keys(hard).filter((name) => wanted[name] !== undefined)
  const over = asked
    .sort()
    .filter(
      (name) => (used[name]?.value ?? 0) + (wanted[name]?.value ?? 0) > (hard[name]?.value ?? 0),
    )
  const said = (usage: Usage): string =>
    over.map((name) => `${name}=${written(usage[name] ?? count(0))}`).join(',')
  if (over.length === 0) return null
  return `exceeded quota: ${quota.metadata.name}, requested: ${said(wanted)}, used: ${said(used)}, limited: ${said(hard)}`
}

/** Finds the kinds that the cluster serves by name. */
export interface KindIndex {
  has(name: string): boolean
  named(name: string): Resource
}

/** What the objects of its namespace take of what the quota limits. */
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

/** The kinds that take part in what is limited, each once. */
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
