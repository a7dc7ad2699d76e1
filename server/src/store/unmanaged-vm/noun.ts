import { type NounParts } from '../noun-parts.ts'
import { UnmanagedVm } from './unmanaged-vm-entity.ts'
import { unmanagedVmKeys } from './unmanaged-vm-keys.ts'
import { UnmanagedVmReads, UnmanagedVmStore } from './unmanaged-vm.ts'

/**
 * The part of the store for VMs that Berth does not manage: tables, queries and work keys for the
 * reconciler.
 */
export const unmanagedVmNoun = {
  entities: [UnmanagedVm],
  reads: { unmanagedVms: UnmanagedVmReads },
  stores: { unmanagedVms: UnmanagedVmStore },
  workKeys: { unmanaged_vm: unmanagedVmKeys },
  deletedWithTenant: [UnmanagedVm],
} satisfies NounParts
