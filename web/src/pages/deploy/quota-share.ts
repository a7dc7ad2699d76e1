import type { VmTemplateRow } from '../../api/vm-templates.ts'
import type { QuotaShare } from '../../components/quota-words.ts'
import type { DeployValues } from './deploy-form.ts'

/** What the machine will count for. */
export function shareOf(
  size: { cpu: number; memoryMi: number },
  disk: Pick<DeployValues, 'rootDisk' | 'bootDiskSizeGi'>,
  template: Pick<VmTemplateRow, 'sourceType' | 'isoSizeGi'> | null,
): QuotaShare {
  const rootGi = disk.rootDisk === 'persistent' ? wholeOr0(disk.bootDiskSizeGi) : 0
  const isoGi = template?.sourceType === 'iso' ? template.isoSizeGi : 0
  return { vms: 1, vcpus: size.cpu, memoryMi: size.memoryMi, storageGi: rootGi + isoGi }
}

export const wholeOr0 = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : 0)
