import { type Permission } from '../engine/model/permission.ts'
import { type OperationPlan } from './operation/operation-plan.ts'
import { networkOperations } from './network/operations.ts'
import { nicOperations } from './nic/operations.ts'
import { securityGroupOperations } from './security-group/operations.ts'
import { tenantOperations } from './tenant/operations.ts'
import { vmOperations } from './vm/operations.ts'
import { vmSnapshotOperations } from './vm-snapshot/operations.ts'
import { vmSshOperations } from './vm-ssh/operations.ts'
import { vmTemplateOperations } from './vm-template/operations.ts'
import { volumeOperations } from './volume/operations.ts'
import { volumeSnapshotOperations } from './volume-snapshot/operations.ts'
import { vpcOperations } from './vpc/operations.ts'

/** All kinds of operations, with their deadlines and steps. A new noun adds its operations here. */
export const operationKinds = {
  ...networkOperations,
  ...nicOperations,
  ...securityGroupOperations,
  ...tenantOperations,
  ...vmOperations,
  ...vmSnapshotOperations,
  ...vmSshOperations,
  ...vmTemplateOperations,
  ...volumeOperations,
  ...volumeSnapshotOperations,
  ...vpcOperations,
} as const satisfies Record<string, OperationPlan & { cancelPermission: Permission }>

export type OperationKind = keyof typeof operationKinds

/** Tenant resources that have a read and a write permission of their own. */
export const permissionBases = [
  'users',
  'vpcs',
  'networks',
  'security_groups',
  'volumes',
  'vms',
  'ssh_keys',
] as const

/**
 * Permissions for parts of a VM that its row does not show. A serial log and cloud-init user data
 * often contain secrets, so `vms:read` shows neither.
 */
export const vmPermissions = ['vms:console', 'vms:logs', 'vms:user_data'] as const

export type TenantPermission =
  `${(typeof permissionBases)[number]}:${'read' | 'write'}` | (typeof vmPermissions)[number]

/**
 * The kinds of rows that clients can subscribe to, each with the permission that it needs. Only
 * callers who may read a row learn that it exists.
 */
export const changeKinds = {
  api_key: 'any',
  network: 'networks:read',
  operation: 'any',
  role: 'users:read',
  security_group: 'security_groups:read',
  service_offering: 'any',
  snapshot_schedule: 'vms:read',
  ssh_key: 'ssh_keys:read',
  tenant: 'any',
  unmanaged_vm: 'vms:read',
  user: 'users:read',
  vm: 'vms:read',
  vm_snapshot: 'vms:read',
  vm_template: 'vms:read',
  volume: 'volumes:read',
  volume_snapshot: 'volumes:read',
  vpc: 'vpcs:read',
} as const satisfies Record<string, Permission | 'any'>

// Object.keys returns strings; the table has no keys other than its kinds.
export const allChangeKinds = Object.keys(changeKinds) as readonly (keyof typeof changeKinds)[]

declare module '../engine/model/registry.ts' {
  interface ChangeKinds extends Record<keyof typeof changeKinds, true> {}
}
