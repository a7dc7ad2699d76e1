import type { ClusterCapacity } from '../../api/cluster-capacity.ts'
import { memory } from '../../format/size.ts'
import { number } from '../../words/number.ts'
import { t } from '../../words/t.ts'

interface Meter {
  label: string
  taken: string
  of: string | null
  /** Null where nobody knows how much there is. */
  percent: number | null
  isShort: boolean
}

/**
 * What is promised, of what there is. More vCPUs than cores is nothing bad, so only the server says
 * when it is too much.
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
