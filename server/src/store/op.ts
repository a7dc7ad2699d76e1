import { type ChangeKind } from '../engine/model/change.ts'
import { type Viewer } from '../engine/model/viewer.ts'
import { type NewVmEvent } from '../domain/vm-event/vm-event.ts'
import { ApiKeyReads, ApiKeyStore } from './identity/api-key.ts'
import { AuditEventReads } from './identity/audit-event.ts'
import { ClusterCapacityReads } from './cluster-capacity/cluster-capacity.ts'
import { NetworkReads } from './network/network-reads.ts'
import { EventsTicketStore } from './event/events-ticket.ts'
import { NetworkStore } from './network/network.ts'
import { NicStore } from './nic/nic.ts'
import { NicReads } from './nic/nic-reads.ts'
import { OperationReads, OperationStore } from './operation/operation.ts'
import { OverviewReads } from './overview/overview-reads.ts'
import { type Reader, clientReader } from '../engine/database/sql/reader.ts'
import { RoleReads, RoleStore } from './identity/role.ts'
import { SecurityGroupReads, SecurityGroupStore } from './security-group/security-group.ts'
import { ServiceOfferingReads, ServiceOfferingStore } from './service-offering/service-offering.ts'
import { SessionReads, SessionStore } from './identity/session.ts'
import { SnapshotScheduleReads } from './snapshot-schedule/snapshot-schedule-reads.ts'
import { SnapshotScheduleStore } from './snapshot-schedule/snapshot-schedule.ts'
import { SshKeyReads, SshKeyStore } from './ssh-key/ssh-key.ts'
import { TenantReads, TenantStore } from './tenant/tenant.ts'
import { TenantBoundaryStore } from './tenant/tenant-boundary.ts'
import { TenantQuotaReads, TenantQuotaStore } from './tenant/tenant-quota.ts'
import { type UnitTools } from '../engine/database/unit.ts'
import { UserReads, UserStore } from './identity/user.ts'
import { VmConsoleStore } from './vm/vm-console.ts'
import { VmEventReads, vmEventQuery } from './vm/vm-event.ts'
import { VmGuardReads, VmGuardStore } from './vm-guard/vm-guard.ts'
import { VmReads } from './vm/vm-reads.ts'
import { VmSshReads, VmSshStore } from './vm-ssh/vm-ssh.ts'
import { VmSnapshotReads } from './vm-snapshot/vm-snapshot-reads.ts'
import { VmSnapshotStore } from './vm-snapshot/vm-snapshot.ts'
import { VmStore } from './vm/vm.ts'
import { VmTemplateReads } from './vm-template/vm-template-reads.ts'
import { VmTemplateStore } from './vm-template/vm-template.ts'
import { VolumeReads } from './volume/volume-reads.ts'
import { VolumeSnapshotReads } from './volume-snapshot/volume-snapshot-reads.ts'
import { VolumeSnapshotStore } from './volume-snapshot/volume-snapshot.ts'
import { VolumeStore } from './volume/volume.ts'
import { VpcReads } from './vpc/vpc-reads.ts'
import { VpcStore } from './vpc/vpc.ts'

/** What a read may ask for; each noun answers under the scope that the reads were made for. */
export interface Reads {
  readonly tenants: TenantReads
  readonly quotas: TenantQuotaReads
  readonly serviceOfferings: ServiceOfferingReads
  readonly clusterCapacity: ClusterCapacityReads
  readonly vms: VmReads
  readonly vmEvents: VmEventReads
  readonly vmSnapshots: VmSnapshotReads
  readonly vmTemplates: VmTemplateReads
  readonly volumes: VolumeReads
  readonly volumeSnapshots: VolumeSnapshotReads
  readonly vpcs: VpcReads
  readonly networks: NetworkReads
  readonly nics: NicReads
  readonly operations: OperationReads
  readonly overview: OverviewReads
  readonly users: UserReads
  readonly roles: RoleReads
  readonly sessions: SessionReads
  readonly apiKeys: ApiKeyReads
  readonly snapshotSchedules: SnapshotScheduleReads
  readonly sshKeys: SshKeyReads
  readonly securityGroups: SecurityGroupReads
  readonly vmGuards: VmGuardReads
  readonly vmSsh: VmSshReads
  readonly auditEvents: AuditEventReads
}

/**
 * What a use case may touch: the stores of one unit, and the books that are kept with its commit.
 */
export interface Op {
  readonly viewer: Viewer
  readonly requestId: string
  readonly tenants: TenantStore
  readonly quotas: TenantQuotaStore
  readonly boundaries: TenantBoundaryStore
  readonly serviceOfferings: ServiceOfferingStore
  readonly eventsTickets: EventsTicketStore
  readonly vms: VmStore
  readonly vmConsoles: VmConsoleStore
  readonly vmSnapshots: VmSnapshotStore
  readonly vmTemplates: VmTemplateStore
  readonly volumes: VolumeStore
  readonly volumeSnapshots: VolumeSnapshotStore
  readonly vpcs: VpcStore
  readonly networks: NetworkStore
  readonly nics: NicStore
  readonly operations: OperationStore
  readonly users: UserStore
  readonly roles: RoleStore
  readonly sessions: SessionStore
  readonly apiKeys: ApiKeyStore
  readonly snapshotSchedules: SnapshotScheduleStore
  readonly sshKeys: SshKeyStore
  readonly securityGroups: SecurityGroupStore
  readonly vmGuards: VmGuardStore
  readonly vmSsh: VmSshStore
  /** Reads inside the unit: they see its flushed writes. */
  readonly reads: Reads
  readonly changes: { note(kind: ChangeKind, row: ChangedRow): void }
  readonly vmEvents: { note(vm: { id: string; tenantId: string }, event: NewVmEvent): void }
  readonly work: { ring(kind: string, row: { id: string; tenantId: string }): void }
  readonly audit: { about(kind: string, row: AuditedRow): void }
  /** Sends what is new or changed, so that defaults and triggers show in the entities. */
  flush(): Promise<void>
}

export interface ChangedRow {
  id: string
  version: number
  /** Null for what every tenant sees. */
  tenantId: string | null
}

export interface AuditedRow {
  id: string
  name: string
  tenantId: string | null
}

export function readsOn(reader: Reader): Reads {
  return {
    tenants: new TenantReads(reader),
    quotas: new TenantQuotaReads(reader),
    serviceOfferings: new ServiceOfferingReads(reader),
    clusterCapacity: new ClusterCapacityReads(reader),
    vms: new VmReads(reader),
    vmEvents: new VmEventReads(reader),
    vmSnapshots: new VmSnapshotReads(reader),
    vmTemplates: new VmTemplateReads(reader),
    volumes: new VolumeReads(reader),
    volumeSnapshots: new VolumeSnapshotReads(reader),
    vpcs: new VpcReads(reader),
    networks: new NetworkReads(reader),
    nics: new NicReads(reader),
    operations: new OperationReads(reader),
    overview: new OverviewReads(reader),
    users: new UserReads(reader),
    roles: new RoleReads(reader),
    sessions: new SessionReads(reader),
    apiKeys: new ApiKeyReads(reader),
    snapshotSchedules: new SnapshotScheduleReads(reader),
    sshKeys: new SshKeyReads(reader),
    securityGroups: new SecurityGroupReads(reader),
    vmGuards: new VmGuardReads(reader),
    vmSsh: new VmSshReads(reader),
    auditEvents: new AuditEventReads(reader),
  }
}

export function opOn(unit: UnitTools, viewer: Viewer, requestId: string): Op {
  const { books } = unit
  const reader = clientReader(unit.client)
  return {
    viewer,
    requestId,
    tenants: new TenantStore(unit, reader),
    quotas: new TenantQuotaStore(reader),
    boundaries: new TenantBoundaryStore(reader),
    serviceOfferings: new ServiceOfferingStore(unit, reader),
    eventsTickets: new EventsTicketStore(unit.client),
    vms: new VmStore(unit, reader),
    vmConsoles: new VmConsoleStore(unit.client),
    vmSnapshots: new VmSnapshotStore(unit, reader),
    vmTemplates: new VmTemplateStore(unit, reader),
    volumes: new VolumeStore(unit, reader),
    volumeSnapshots: new VolumeSnapshotStore(unit, reader),
    vpcs: new VpcStore(unit, reader),
    networks: new NetworkStore(unit, reader),
    nics: new NicStore(reader),
    operations: new OperationStore(unit, reader),
    snapshotSchedules: new SnapshotScheduleStore(unit, reader),
    sshKeys: new SshKeyStore(reader),
    securityGroups: new SecurityGroupStore(unit, reader),
    vmGuards: new VmGuardStore(reader),
    vmSsh: new VmSshStore(reader),
    get users() {
      return new UserStore(unit.em)
    },
    get roles() {
      return new RoleStore(unit.em)
    },
    get sessions() {
      return new SessionStore(unit.em)
    },
    get apiKeys() {
      return new ApiKeyStore(unit.em)
    },
    reads: readsOn(reader),
    changes: { note: (kind, row) => void books.changes.push({ kind, ...row }) },
    vmEvents: {
      note: ({ id, tenantId }, event) =>
        void books.statements.push(vmEventQuery({ vmId: id, tenantId, ...event })),
    },
    work: { ring: (kind, row) => void books.work.push({ kind, ...row }) },
    audit: {
      about: (kind, { id, name, tenantId }) => void (books.audit = { kind, id, name, tenantId }),
    },
    flush: () => unit.flush(),
  }
}
