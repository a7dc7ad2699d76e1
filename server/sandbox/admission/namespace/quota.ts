import { type Admittance } from '../../apiserver/resource.ts'
import { registry } from '../../apiserver/registry.ts'
import { refuse } from '../../apiserver/status.ts'
import { type KubeObject } from '../../apiserver/types.ts'
import { read } from '../../controllers/read.ts'
import { type Amount, amountOf, count, written } from './amount.ts'
import { isInScopes } from './scopes.ts'
import { type Usage, added, amountsOf, usageOf } from './usage.ts'

type Lookup = Pick<Admittance, 'list'>

/** Refuses what would take more than a quota of the namespace leaves. */
export function mustFitQuotas({ resource, object, old, list }: Admittance): void {
  const { namespace, name } = object.metadata
  if (namespace === undefined || resource.plural === 'resourcequotas') return
  const quotas = list('resourcequotas', namespace).filter((quota) => isInScopes(quota, resource, object))
  if (quotas.length === 0) return
  const wanted = growth(usageOf(resource, object), old ? usageOf(resource, old) : {})
  for (const quota of quotas) {
    const why = incomplete(quota, resource.plural === 'pods' && !old ? object : null) ?? excess(quota, wanted, { list })
    if (why !== null) throw refuse.forbidden(resource, name, { text: why })
  }
}

const hardOf = (quota: KubeObject): Usage =>
  Object.fromEntries(Object.entries(read.map(read.spec(quota).hard)).map(([name, each]) => [name, amountOf(each) ?? count(0)]))

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
  const names = Object.keys(hardOf(quota)).filter((name) => pod !== null && computed.test(name))
  const containers = pod ? [...read.maps(read.spec(pod).initContainers), ...read.maps(read.spec(pod).containers)] : []
  const missing = names.sort().flatMap((name) => {
    const side = name.startsWith('limits.') ? 'limits' : 'requests'
    const without = containers.filter((each) => amountsOf(each, side)[name.replace(/^(requests|limits)\./, '')] === undefined)
    return without.length > 0 ? [`${name} for: ${without.map((each) => read.text(each.name)).join(',')}`] : []
  })
  return missing.length > 0 ? `failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}` : null
}

function excess(quota: KubeObject, wanted: Usage, lookup: Lookup): string | null {
  const hard = hardOf(quota)
  const asked = Object.keys(hard).filter((name) => wanted[name] !== undefined)
  if (asked.length === 0) return null
  const used = usedOf(quota, lookup)
  const over = asked.sort().filter((name) => (used[name]?.value ?? 0) + (wanted[name]?.value ?? 0) > (hard[name]?.value ?? 0))
  const said = (usage: Usage): string => over.map((name) => `${name}=${written(usage[name] ?? count(0))}`).join(',')
  if (over.length === 0) return null
  return `exceeded quota: ${quota.metadata.name}, requested: ${said(wanted)}, used: ${said(used)}, limited: ${said(hard)}`
}

/** What the objects of its namespace take of what the quota limits, counted anew each time: nothing can be missed. */
export function usedOf(quota: KubeObject, { list }: Lookup): Record<string, Amount> {
  const hard = Object.keys(hardOf(quota))
  const total = countedKinds(hard).reduce<Usage>((all, name) => {
    const resource = registry.named(name)
    const objects = list(name, quota.metadata.namespace).filter((object) => isInScopes(quota, resource, object))
    return objects.reduce<Usage>((sum, object) => added(sum, usageOf(resource, object)), all)
  }, {})
  return Object.fromEntries(hard.map((name) => [name, total[name] ?? count(0)]))
}

/** The kinds that take part in what is limited, each once. */
export function countedKinds(hard: readonly string[]): string[] {
  const kinds = hard.flatMap((name) => {
    const counted = /^count\/(.+)$/.exec(name)?.[1]
    if (counted !== undefined) return registry.has(counted) ? [counted] : []
    if (name.endsWith('requests.storage') || name.endsWith('persistentvolumeclaims')) return ['persistentvolumeclaims']
    if (name.startsWith('services')) return ['services']
    return registry.has(name) ? [name] : ['pods']
  })
  return [...new Set(kinds)]
}
