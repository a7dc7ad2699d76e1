import { type QuotaLimits, type QuotaShare } from '../../../server/src/domain/tenant/quota.ts'

/** The quota of a tenant that may have as much as there is. */
export const unlimited: QuotaLimits = {
  vms: null,
  vcpus: null,
  memoryMi: null,
  storageGi: null,
  volumes: null,
  snapshots: null,
  vpcs: null,
  networks: null,
  publicAddresses: null,
}

/** What a tenant has that has nothing. */
export const nothingUsed: QuotaShare = {
  vms: 0,
  vcpus: 0,
  memoryMi: 0,
  storageGi: 0,
  volumes: 0,
  snapshots: 0,
  vpcs: 0,
  networks: 0,
  publicAddresses: 0,
}
