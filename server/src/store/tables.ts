import { type InferKyselyTable } from '@mikro-orm/sql'
import { type ApiKeySchema } from './entities/api-key.ts'
import { type AuditEventSchema } from './entities/audit-event.ts'
import { type ClusterCapacitySchema } from './entities/cluster-capacity.ts'
import { type NetworkSchema } from './entities/network.ts'
import { type NicSchema } from './entities/nic.ts'
import { type OperationSchema } from './entities/operation.ts'
import { type RoleSchema } from './entities/role.ts'
import {
  type SecurityGroupRuleSchema,
  type SecurityGroupSchema,
} from './entities/security-group.ts'
import { type ServiceOfferingSchema } from './entities/service-offering.ts'
import { type SessionSchema } from './entities/session.ts'
import { type SnapshotScheduleSchema } from './entities/snapshot-schedule.ts'
import { type SshKeySchema } from './entities/ssh-key.ts'
import { type TenantSchema } from './entities/tenant.ts'
import { type TenantBoundarySchema } from './entities/tenant-boundary.ts'
import { type TenantQuotaSchema } from './entities/tenant-quota.ts'
import { type UserSchema } from './entities/user.ts'
import { type VmSchema } from './entities/vm.ts'
import { type VmEventSchema } from './entities/vm-event.ts'
import { type VmGuardSchema, type VmSecurityGroupSchema } from './entities/vm-guard.ts'
import { type VmSshSchema } from './entities/vm-ssh.ts'
import { type VmSnapshotSchema } from './entities/vm-snapshot.ts'
import { type VmTemplateSchema } from './entities/vm-template.ts'
import { type VolumeSnapshotSchema } from './entities/volume-snapshot.ts'
import { type VolumeSchema } from './entities/volume.ts'
import { type VpcSchema } from './entities/vpc.ts'

/**
 * The tables as typed SQL sees them; columns are inferred from the entities, so the two cannot
 * drift.
 */
export interface Tables {
  api_key: InferKyselyTable<typeof ApiKeySchema>
  audit_event: InferKyselyTable<typeof AuditEventSchema>
  cluster_capacity: InferKyselyTable<typeof ClusterCapacitySchema>
  network: InferKyselyTable<typeof NetworkSchema>
  nic: InferKyselyTable<typeof NicSchema>
  operation: InferKyselyTable<typeof OperationSchema>
  role: InferKyselyTable<typeof RoleSchema>
  security_group: InferKyselyTable<typeof SecurityGroupSchema>
  security_group_rule: InferKyselyTable<typeof SecurityGroupRuleSchema>
  service_offering: InferKyselyTable<typeof ServiceOfferingSchema>
  session: InferKyselyTable<typeof SessionSchema>
  snapshot_schedule: InferKyselyTable<typeof SnapshotScheduleSchema>
  ssh_key: InferKyselyTable<typeof SshKeySchema>
  tenant: InferKyselyTable<typeof TenantSchema>
  tenant_boundary: InferKyselyTable<typeof TenantBoundarySchema>
  tenant_quota: InferKyselyTable<typeof TenantQuotaSchema>
  user_account: InferKyselyTable<typeof UserSchema>
  vm: InferKyselyTable<typeof VmSchema>
  vm_event: InferKyselyTable<typeof VmEventSchema>
  vm_guard: InferKyselyTable<typeof VmGuardSchema>
  vm_ssh: InferKyselyTable<typeof VmSshSchema>
  vm_security_group: InferKyselyTable<typeof VmSecurityGroupSchema>
  vm_snapshot: InferKyselyTable<typeof VmSnapshotSchema>
  vm_template: InferKyselyTable<typeof VmTemplateSchema>
  volume: InferKyselyTable<typeof VolumeSchema>
  volume_snapshot: InferKyselyTable<typeof VolumeSnapshotSchema>
  vpc: InferKyselyTable<typeof VpcSchema>
}
