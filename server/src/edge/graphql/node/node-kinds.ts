import { type ClassType } from 'type-graphql'
import { type Permission } from '../../../engine/model/permission.ts'
import { type Viewer, may } from '../../../engine/model/viewer.ts'
import { type FoundById, type NodeKind } from '../context.ts'
import { Role } from '../identity/role-types.ts'
import { User } from '../identity/user-types.ts'
import { Network } from '../network/network-types.ts'
import { Operation } from '../operation/operation-types.ts'
import { SecurityGroup } from '../security-group/security-group-types.ts'
import { ServiceOffering } from '../service-offering/service-offering-types.ts'
import { SnapshotSchedule } from '../snapshot-schedule/snapshot-schedule-types.ts'
import { SshKey } from '../ssh-key/ssh-key-types.ts'
import { Tenant } from '../tenant/tenant-types.ts'
import { UnmanagedVm } from '../unmanaged-vm/unmanaged-vm-types.ts'
import { VmSnapshot } from '../vm-snapshot/vm-snapshot-types.ts'
import { VmTemplate } from '../vm-template/vm-template-types.ts'
import { Vm } from '../vm/vm-types.ts'
import { VolumeSnapshot } from '../volume-snapshot/volume-snapshot-types.ts'
import { Volume } from '../volume/volume-types.ts'
import { Vpc } from '../vpc/vpc-types.ts'

interface NodeKindEntry {
  type: ClassType
  /** The reads that find its rows. */
  reads: FoundById
  /** The permissions to read a row: those of the query for one object, where there is one. */
  needs: readonly Permission[]
}

/**
 * The kinds of rows that a client can reach by `node` or from another object. Rows of the tenant
 * itself need no permission. API keys are missing, because most callers may see only their own.
 */
export const nodeKinds = {
  network: { type: Network, reads: 'networks', needs: ['networks:read'] },
  operation: { type: Operation, reads: 'operations', needs: [] },
  role: { type: Role, reads: 'roles', needs: ['users:read'] },
  security_group: {
    type: SecurityGroup,
    reads: 'securityGroups',
    needs: ['security_groups:read'],
  },
  service_offering: { type: ServiceOffering, reads: 'serviceOfferings', needs: ['vms:read'] },
  snapshot_schedule: {
    type: SnapshotSchedule,
    reads: 'snapshotSchedules',
    needs: ['vms:read', 'volumes:read'],
  },
  ssh_key: { type: SshKey, reads: 'sshKeys', needs: ['ssh_keys:read'] },
  tenant: { type: Tenant, reads: 'tenants', needs: [] },
  unmanaged_vm: { type: UnmanagedVm, reads: 'unmanagedVms', needs: ['vms:read'] },
  user: { type: User, reads: 'users', needs: ['users:read'] },
  vm: { type: Vm, reads: 'vms', needs: ['vms:read'] },
  vm_snapshot: { type: VmSnapshot, reads: 'vmSnapshots', needs: ['vms:read'] },
  vm_template: { type: VmTemplate, reads: 'vmTemplates', needs: ['vms:read'] },
  volume: { type: Volume, reads: 'volumes', needs: ['volumes:read'] },
  volume_snapshot: { type: VolumeSnapshot, reads: 'volumeSnapshots', needs: ['volumes:read'] },
  vpc: { type: Vpc, reads: 'vpcs', needs: ['vpcs:read'] },
} as const satisfies Record<NodeKind, NodeKindEntry>

// Object.keys returns strings; the table has no keys other than its kinds.
export const allNodeKinds = Object.keys(nodeKinds) as readonly NodeKind[]

/** True for the kind of a row that `nodeKinds` has, such as the target of an operation. */
export const isNodeKind = (kind: string): kind is NodeKind => Object.hasOwn(nodeKinds, kind)

export const mayRead = (viewer: Viewer, kind: NodeKind): boolean =>
  nodeKinds[kind].needs.every((permission) => may(viewer, permission))
