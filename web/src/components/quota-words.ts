import type { QuotaLine } from '../api/tenant/quota.ts'
import { gibibytes, memory } from '../format/size.ts'
import { number } from '../words/number.ts'
import type { PlainMessage } from '../words/spoken.ts'

type QuotaResource = QuotaLine['resource']

/** What something new takes of each; what is not named it takes nothing of. */
export type QuotaShare = Partial<Record<QuotaResource, number>>

/** All that a tenant can be limited in, in the order in which people ask. */
export const quotaWords: Record<
  QuotaResource,
  { label: PlainMessage; amount: (count: number) => string; unit?: string }
> = {
  vms: { label: 'Machines', amount: number },
  vcpus: { label: 'vCPU', amount: number },
  memoryMi: { label: 'Memory', amount: memory, unit: 'MiB' },
  storageGi: { label: 'Storage', amount: gibibytes, unit: 'GiB' },
  volumes: { label: 'Volumes', amount: number },
  snapshots: { label: 'Snapshots', amount: number },
  vpcs: { label: 'VPCs', amount: number },
  networks: { label: 'Networks', amount: number },
  publicAddresses: { label: 'Public addresses', amount: number },
}

// Object.keys gives strings; the table has no other keys than the resources.
export const quotaResources = Object.keys(quotaWords) as QuotaResource[]
