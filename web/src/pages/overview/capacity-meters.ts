import type { ClusterCapacity } from '../../api/cluster-capacity.ts'
import { memory } from '../../format/size.ts'
import { number } from '../../i18n/number.ts'
import { t } from '../../i18n/t.ts'

interface Meter {
  label: string
  taken: string
  of: string | null
  /** The bar's length; null when the capacity is unknown. */
  percent: number | null
  isShort: boolean
}

/**
 * Returns the allocated amounts and their share of the capacity. More vCPUs than cores are normal,
 * so only the server decides when there is a shortage.
 */
export function capacityMeters({
  hosts,
  promised,
  warnings,
}: Pick<ClusterCapacity, 'hosts' | 'promised' | 'warnings'>): Meter[] {
  const of = (taken: number, all: number) =>
    all > 0 ? Math.min(100, (taken / all) * 100) : taken > 0 ? 100 : 0
  const cpu = { label: 'vCPU', isShort: warnings.includes('cpu_short') }
  const ram = { label: t('Memory'), isShort: warnings.includes('memory_short') }
  if (!hosts) {
    return [
      {
        ...cpu,
        taken: t('{amount} promised', { amount: number(promised.vcpus) }),
        of: null,
        percent: null,
      },
      {
        ...ram,
        taken: t('{amount} promised', { amount: memory(promised.memoryMi) }),
        of: null,
        percent: null,
      },
    ]
  }
  return [
    {
      ...cpu,
      taken: number(promised.vcpus),
      of: t('of {n} core | of {n} cores', { n: hosts.cores }),
      percent: of(promised.vcpus, hosts.cores),
    },
    {
      ...ram,
      taken: memory(promised.memoryMi),
      of: t('of {limit}', { limit: memory(hosts.memoryMi) }),
      percent: of(promised.memoryMi, hosts.memoryMi),
    },
  ]
}
