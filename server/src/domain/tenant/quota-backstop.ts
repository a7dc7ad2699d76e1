import { type QuotaLine, type QuotaResource } from './quota.ts'

/** The maximum that a tenant's namespace may hold. A missing value means no limit. */
export interface QuotaBackstop {
  vms?: number
  cpuMillis?: number
  memoryMi?: number
  storageGi?: number
}

/**
 * The most that a VM uses in addition to its guest: its launcher pod, and the pods that fill and
 * attach its disks.
 */
const overheadPerVm = { memoryMi: 600 + 200, cpuMillis: 1_000 + 400 } as const
const overheadPerVcpuMi = 8
const pageTables = 1 / 512

/** A live migration runs a VM twice, and the cluster notices late that an object is gone. */
const simultaneousCopies = 2
/**
 * CDI writes an image next to the target volume, through a scratch volume. Each volume is somewhat
 * larger than requested.
 */
const copiesOfVolume = 4
/** Allowance for pods that belong to no VM, such as importers of templates. */
const otherPods = { vms: 10, cpuMillis: 8_000, memoryMi: 8_192, storageGi: 100 } as const

/**
 * Computes a backstop for usage that bypasses the quota check. It never refuses what the quota
 * allows, and also allows the tenant's present usage when that is above a lowered limit. CPU and
 * memory of launchers depend on the number of VMs and vCPUs. They are limited only when these
 * numbers have limits.
 */
export function quotaBackstopOf(lines: readonly QuotaLine[]): QuotaBackstop {
  const vms = limitOrUsage(lines, 'vms')
  const vcpus = limitOrUsage(lines, 'vcpus')
  const memoryMi = limitOrUsage(lines, 'memoryMi')
  const storageGi = limitOrUsage(lines, 'storageGi')
  // Each VM has at least one vCPU.
  const maxVms = vcpus === null ? null : Math.min(vcpus, vms ?? vcpus)
  return {
    ...(vms === null ? {} : { vms: simultaneousCopies * vms + otherPods.vms }),
    ...(storageGi === null ? {} : { storageGi: copiesOfVolume * storageGi + otherPods.storageGi }),
    ...(vcpus === null || maxVms === null
      ? {}
      : {
          cpuMillis:
            simultaneousCopies * (vcpus * 1_000 + maxVms * overheadPerVm.cpuMillis) +
            otherPods.cpuMillis,
        }),
    ...(vcpus === null || maxVms === null || memoryMi === null
      ? {}
      : {
          memoryMi:
            simultaneousCopies * (guestsMi({ memoryMi, vcpus }) + maxVms * overheadPerVm.memoryMi) +
            otherPods.memoryMi,
        }),
  }
}

const guestsMi = ({ memoryMi, vcpus }: { memoryMi: number; vcpus: number }): number =>
  memoryMi + Math.ceil(memoryMi * pageTables) + vcpus * overheadPerVcpuMi

function limitOrUsage(lines: readonly QuotaLine[], resource: QuotaResource): number | null {
  const line = lines.find((each) => each.resource === resource)
  return line === undefined || line.limit === null ? null : Math.max(line.limit, line.used)
}
