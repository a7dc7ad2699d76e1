import { type ChangeKind } from '../domain/change/change.ts'
import { type Viewer } from '../domain/identity/viewer.ts'
import { ApiKeyReads, ApiKeyStore } from './api-key.ts'
import { AuditEventReads } from './audit-event.ts'
import { OperationReads, OperationStore } from './operation.ts'
import { type Reader, clientReader } from './reader.ts'
import { RoleReads, RoleStore } from './role.ts'
import { ServiceOfferingReads, ServiceOfferingStore } from './service-offering.ts'
import { SessionReads, SessionStore } from './session.ts'
import { SshKeyReads, SshKeyStore } from './ssh-key.ts'
import { TenantReads, TenantStore } from './tenant.ts'
import { TenantQuotaReads, TenantQuotaStore } from './tenant-quota.ts'
import { type UnitTools } from './unit.ts'
import { UserReads, UserStore } from './user.ts'
import { VmConsoleStore } from './vm-console.ts'
import { VmReads } from './vm-reads.ts'
import { VmStore } from './vm.ts'
import { VmTemplateReads } from './vm-template-reads.ts'
import { VmTemplateStore } from './vm-template.ts'

/** What a read may ask for; each noun answers under the scope that the reads were made for. */
export interface Reads {
  readonly tenants: TenantReads
  readonly quotas: TenantQuotaReads
  readonly serviceOfferings: ServiceOfferingReads
  readonly vms: VmReads
  readonly vmTemplates: VmTemplateReads
  readonly operations: OperationReads
  readonly users: UserReads
  readonly roles: RoleReads
  readonly sessions: SessionReads
  readonly apiKeys: ApiKeyReads
  readonly sshKeys: SshKeyReads
  readonly auditEvents: AuditEventReads
}

/** What a use case may touch: the stores of one unit, and the books that are kept with its commit. */
export interface Op {
  readonly viewer: Viewer
  readonly requestId: string
  readonly tenants: TenantStore
  readonly quotas: TenantQuotaStore
  readonly serviceOfferings: ServiceOfferingStore
  readonly vms: VmStore
  readonly vmConsoles: VmConsoleStore
  readonly vmTemplates: VmTemplateStore
  readonly operations: OperationStore
  readonly users: UserStore
  readonly roles: RoleStore
  readonly sessions: SessionStore
  readonly apiKeys: ApiKeyStore
  readonly sshKeys: SshKeyStore
  /** Reads inside the unit: they see its flushed writes. */
  readonly reads: Reads
  readonly changes: { note(kind: ChangeKind, row: ChangedRow): void }
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
    vms: new VmReads(reader),
    vmTemplates: new VmTemplateReads(reader),
    operations: new OperationReads(reader),
    users: new UserReads(reader),
    roles: new RoleReads(reader),
    sessions: new SessionReads(reader),
    apiKeys: new ApiKeyReads(reader),
    sshKeys: new SshKeyReads(reader),
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
    serviceOfferings: new ServiceOfferingStore(unit, reader),
    vms: new VmStore(unit, reader),
    vmConsoles: new VmConsoleStore(unit.client),
    vmTemplates: new VmTemplateStore(unit, reader),
    operations: new OperationStore(unit, reader),
    sshKeys: new SshKeyStore(reader),
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
    work: { ring: (kind, row) => void books.work.push({ kind, ...row }) },
    audit: { about: (kind, { id, name, tenantId }) => void (books.audit = { kind, id, name, tenantId }) },
    flush: () => unit.flush(),
  }
}
