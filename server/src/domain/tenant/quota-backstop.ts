import { type QuotaLine, type QuotaResource } from './quota.ts'

/** The most that a tenant's namespace may hold, where that can be said at all. */
export interface TenantNet {
  vms?: number
  cpuMillis?: number
  memoryMi?: number
  storageGi?: number
}

/**
 * What one machine takes in the cluster beside what its guest gets: its launcher, at most, and
 * whoever fills and attaches its disks.
 */
const beside = { memoryMi: 600 + 200, cpuMillis: 1_000 + 400 } as const
const besideVcpuMi = 8
const pageTables = 1 / 512

/**
 * A move to another host has a machine there twice; and the cluster notices late that something has
 * gone.
 */
const atOnce = 2
/**
 * An image is written beside the volume that it is for, by way of a third, and each of them is
 * somewhat larger than was asked.
 */
const copiesOfVolume = 4
/** Of whatever belongs to no machine, as importers of templates. */
const others = { vms: 10, cpuMillis: 8_000, memoryMi: 8_192, storageGi: 100 } as const

/**
 * A net under the quota, for what goes past it: so wide that it never holds what the quota lets
 * through. What a tenant has may be more than it might have by now, and is kept. Memory and
 * processors of helpers depend on how many machines and vCPUs there can be; where that is not
 * limited, they are not.
 */
export function netUnder(lines: readonly QuotaLine[]): TenantNet {
  const vms = mostOf(lines, 'vms')
  const vcpus = mostOf(lines, 'vcpus')
  const memoryMi = mostOf(lines, 'memoryMi')
  const storageGi = mostOf(lines, 'storageGi')
  // No machine has less than one vCPU.
  const machines = vcpus === null ? null : Math.min(vcpus, vms ?? vcpus)
  return {
    ...(vms === null ? {} : { vms: atOnce * vms + others.vms }),
    ...(storageGi === null ? {} : { storageGi: copiesOfVolume * storageGi + others.storageGi }),
    ...(vcpus === null || machines === null
      ? {}
      : { cpuMillis: atOnce * (vcpus * 1_000 + machines * beside.cpuMillis) + others.cpuMillis }),
    ...(vcpus === null || machines === null || memoryMi === null
      ? {}
      : {
          memoryMi:
            atOnce * (guestsMi({ memoryMi, vcpus }) + machines * beside.memoryMi) + others.memoryMi,
        }),
  }
}

const guestsMi = ({ memoryMi, vcpus }: { memoryMi: number; vcpus: number }): number =>
  memoryMi + Math.ceil(memoryMi * pageTables) + vcpus * besideVcpuMi

function mostOf(lines: readonly QuotaLine[], resource: QuotaResource): number | null {
  const line = lines.find((each) => each.resource === resource)
  return line === undefined || line.limit === null ? null : Math.max(line.limit, line.used)
}
