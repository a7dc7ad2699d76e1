import { quota } from '../../../schema/messages/en/quota.ts'
import type { QuotaLine } from '../api/tenant/quota.ts'
import { gibibytes, memory } from '../format/size.ts'
import { number } from '../words/number.ts'
import { spoken } from '../words/spoken.ts'

type QuotaResource = QuotaLine['resource']

/** What something new takes of each; what is not named it takes nothing of. */
export type QuotaShare = Partial<Record<QuotaResource, number>>

/** The catalogue has the label in each language but English, which the console loads here. */
export function quotaLabel(resource: QuotaResource): string {
  const key = `quota.label.${resource}` as const
  const label = spoken.value.words?.catalogue[key]
  return typeof label === 'string' ? label : quota[key]
}

const labelled = 'quota.label.'
export const quotaResources = Object.keys(quota)
  .filter((key) => key.startsWith(labelled))
  // Object.keys gives strings; each resource has a label, or `quotaLabel` does not compile.
  .map((key) => key.slice(labelled.length) as QuotaResource)

/** The unit is the last part of the resource's name; without one it is a count. */
export function quotaUnit(resource: QuotaResource): { unit?: string; amount: typeof number } {
  if (resource.endsWith('Mi')) return { unit: 'MiB', amount: memory }
  if (resource.endsWith('Gi')) return { unit: 'GiB', amount: gibibytes }
  return { amount: number }
}
