import {
  type Database,
  type DatabaseOptions,
  connectDatabase,
} from '../engine/database/database.ts'
import { ApiKey } from './identity/api-key-entity.ts'
import { AuditEventSchema } from './identity/audit-event-entity.ts'
import { ClusterCapacitySchema } from './cluster-capacity/cluster-capacity-entity.ts'
import { Network } from './network/network-entity.ts'
import { NicSchema } from './nic/nic-entity.ts'
import { Operation } from './operation/operation-entity.ts'
import { Role } from './identity/role-entity.ts'
import { SecurityGroup, SecurityGroupRuleSchema } from './security-group/security-group-entity.ts'
import { ServiceOffering } from './service-offering/service-offering-entity.ts'
import { Session } from './identity/session-entity.ts'
import { SnapshotSchedule } from './snapshot-schedule/snapshot-schedule-entity.ts'
import { SshKey } from './ssh-key/ssh-key-entity.ts'
import { Tenant } from './tenant/tenant-entity.ts'
import { TenantBoundarySchema } from './tenant/tenant-boundary-entity.ts'
import { TenantQuotaSchema } from './tenant/tenant-quota-entity.ts'
import { User } from './identity/user-entity.ts'
import { Vm } from './vm/vm-entity.ts'
import { VmEventSchema } from './vm/vm-event-entity.ts'
import { VmGuardSchema, VmSecurityGroupSchema } from './vm-guard/vm-guard-entity.ts'
import { VmSshSchema } from './vm-ssh/vm-ssh-entity.ts'
import { VmTemplate } from './vm-template/vm-template-entity.ts'
import { VmSnapshot } from './vm-snapshot/vm-snapshot-entity.ts'
import { VolumeSnapshot } from './volume-snapshot/volume-snapshot-entity.ts'
import { Volume } from './volume/volume-entity.ts'
import { Vpc } from './vpc/vpc-entity.ts'

/** One row class or schema for each table that a unit changes. */
const entities = [
  ApiKey,
  AuditEventSchema,
  ClusterCapacitySchema,
  Network,
  NicSchema,
  Operation,
  Role,
  SecurityGroup,
  SecurityGroupRuleSchema,
  ServiceOffering,
  Session,
  SnapshotSchedule,
  SshKey,
  Tenant,
  TenantBoundarySchema,
  TenantQuotaSchema,
  User,
  Vm,
  VmEventSchema,
  VmGuardSchema,
  VmSecurityGroupSchema,
  VmSshSchema,
  VmTemplate,
  Volume,
  VmSnapshot,
  VolumeSnapshot,
  Vpc,
]

export const openDatabase = (options: Omit<DatabaseOptions, 'entities'>): Promise<Database> =>
  connectDatabase({ ...options, entities })
