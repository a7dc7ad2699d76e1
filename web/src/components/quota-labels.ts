import { quota } from '../../../schema/messages/en/quota.ts'
import type { QuotaLine } from '../api/tenant/quota.ts'
import { gibibytes, memory } from '../format/size.ts'
import { number } from '../i18n/number.ts'
import { activeLocale } from '../i18n/active-locale.ts'

type QuotaResource = QuotaLine['resource']

/** The amount of each resource that a new row uses. A missing resource is not used. */
export type QuotaShare = Partial<Record<QuotaResource, number>>

/** Returns the label of the resource. The English labels are part of the console's code. */
export function quotaLabel(resource: QuotaResource): string {
  const key = `quota.label.${resource}` as const
  const label = activeLocale.value.translations?.catalogue[key]
  return typeof label === 'string' ? label : quota[key]
}

const labelled = 'quota.label.'
export const quotaResources = Object.keys(quota)
  .filter((key) => key.startsWith(labelled))
  // Object.keys returns strings; each resource has a label, or `quotaLabel` does not compile.
  .map((key) => key.slice(labelled.length) as QuotaResource)

/** Returns the unit, which is the suffix of the resource's name. Without a suffix it is a count. */
export function quotaUnit(resource: QuotaResource): { unit?: string; amount: typeof number } {
  if (resource.endsWith('Mi')) return { unit: 'MiB', amount: memory }
  if (resource.endsWith('Gi')) return { unit: 'GiB', amount: gibibytes }
  return { amount: number }
}
