import type { VmTemplateRow } from '../../api/vm/vm-templates.ts'
import type { QuotaShare } from '../../components/quota-labels.ts'
import type { DeployValues } from './deploy-form.ts'

/** Returns the quota that the VM will use. */
export function shareOf(
  size: { cpu: number; memoryMi: number },
  {
    rootDisk,
    bootDiskSizeGi,
    publicIp,
  }: Pick<DeployValues, 'rootDisk' | 'bootDiskSizeGi' | 'publicIp'>,
  template: Pick<VmTemplateRow, 'sourceType' | 'isoSizeGi'> | null,
): QuotaShare {
  const rootGi = rootDisk === 'persistent' ? wholeOr0(bootDiskSizeGi) : 0
  const isoGi = template?.sourceType === 'iso' ? template.isoSizeGi : 0
  return {
    vms: 1,
    vcpus: size.cpu,
    memoryMi: size.memoryMi,
    storageGi: rootGi + isoGi,
    ...(publicIp && { publicAddresses: 1 }),
  }
}

export const wholeOr0 = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : 0)
