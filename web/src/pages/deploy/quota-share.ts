import type { QuotaLine } from '../../api/deploy.ts'
import type { VmTemplateRow } from '../../api/vm-templates.ts'
import { gibibytes, memory } from '../../format/size.ts'
import type { DeployValues } from './deploy-form.ts'
import type { PlainMessage } from '../../words/spoken.ts'

/** Of all that is limited, what a machine takes some of. */
export const shared = ['vms', 'vcpus', 'memoryMi', 'storageGi'] as const satisfies readonly QuotaLine['resource'][]
type Shared = (typeof shared)[number]
export type Share = Record<Shared, number>

/** What the machine will count for. */
export function shareOf(
  size: { cpu: number; memoryMi: number },
  disk: Pick<DeployValues, 'rootDisk' | 'bootDiskSizeGi'>,
  template: Pick<VmTemplateRow, 'sourceType' | 'isoSizeGi'> | null,
): Share {
  const rootGi = disk.rootDisk === 'persistent' ? wholeOr0(disk.bootDiskSizeGi) : 0
  const isoGi = template?.sourceType === 'iso' ? template.isoSizeGi : 0
  return { vms: 1, vcpus: size.cpu, memoryMi: size.memoryMi, storageGi: rootGi + isoGi }
}

export const wholeOr0 = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : 0)

export const quotaWords: Record<Shared, { label: PlainMessage; amount: (count: number) => string }> = {
  vms: { label: 'Machines', amount: String },
  vcpus: { label: 'vCPU', amount: String },
  memoryMi: { label: 'Memory', amount: memory },
  storageGi: { label: 'Storage', amount: gibibytes },
}
