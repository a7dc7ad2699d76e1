import type pg from 'pg'
import { type ChangeKind } from '../model/change.ts'
import { changeChannel, workPayload } from '../model/channel.ts'
import { type Viewer } from '../model/viewer.ts'
import { newId } from '../../runtime/ids.ts'

export interface RecordedChange {
  kind: ChangeKind
  id: string
  tenantId: string | null
  version: number
}

export interface EnqueuedKey {
  kind: string
  id: string
  tenantId: string
}

export interface AuditTarget {
  tenantId: string | null
  kind: string | null
  id: string | null
  name: string | null
}

/**
 * The entries that a unit writes besides its rows. One packet sends them together with the commit.
 */
export interface Outbox {
  changes: RecordedChange[]
  /** Further statements of the nouns. They are sent with the commit. */
  statements: pg.QueryConfig[]
  work: EnqueuedKey[]
  audit: AuditTarget | null
}

export interface AuditedCall {
  viewer: Viewer
  operation: string
  requestId: string
  address: string
}

const auditColumns = `id, tenant_id, actor_id, actor_name, actor_role, actor_tenant_id, credential, credential_id,
  operation, target_kind, target_id, target_name, outcome, code, request_id, address`

const outboxText = `
with noted as (
  insert into change_log (tenant_id, kind, object_id, version)
  select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::int[])),
notified as (
  insert into work as w (kind, object_id, tenant_id)
  select distinct * from unnest($5::text[], $6::uuid[], $7::uuid[]) as key (kind, object_id, tenant_id) order by 1, 2
  on conflict (kind, object_id) do update
    set notified = w.notified + 1, due_at = clock_timestamp(), attempts = 0, waits = 0, poisoned_at = null, last_error = null),
audited as (
  insert into audit_event (${auditColumns})
  select $8::uuid, $9::uuid, $10::uuid, $11, $12, $13::uuid, $14, $15::uuid, $16, $17, $18::uuid, $19, $20, $21, $22, $23
  where $8 is not null)
select pg_notify('${changeChannel}', case when cardinality($5::text[]) > 0 then '${workPayload}' else '' end) where cardinality($1::uuid[]) > 0 or cardinality($5::text[]) > 0`

export const hasEntries = ({ changes, work }: Outbox, call: AuditedCall | null): boolean =>
  changes.length > 0 || work.length > 0 || call !== null

/**
 * Returns the one statement that writes the changes, the enqueued keys and the audit row of a unit,
 * and rings the doorbell.
 */
export function outboxQuery(outbox: Outbox, call: AuditedCall | null): pg.QueryConfig {
  return {
    name: 'berth_books',
    text: outboxText,
    values: [
      ...columnsOf(outbox),
      ...auditValues(outbox.audit, call, { outcome: 'allowed', code: null }),
    ],
  }
}

function columnsOf({ changes, work }: Outbox): unknown[] {
  return [
    changes.map((change) => change.tenantId),
    changes.map((change) => change.kind),
    changes.map((change) => change.id),
    changes.map((change) => change.version),
    work.map((key) => key.kind),
    work.map((key) => key.id),
    work.map((key) => key.tenantId),
  ]
}

export interface AuditVerdict {
  outcome: 'allowed' | 'refused' | 'failed'
  code: string | null
}

function auditValues(
  target: AuditTarget | null,
  call: AuditedCall | null,
  verdict: AuditVerdict,
): unknown[] {
  if (!call) return new Array(16).fill(null)
  const { viewer } = call
  return [
    newId(),
    target?.tenantId ?? null,
    viewer.userId,
    viewer.username,
    viewer.role,
    viewer.homeTenantId,
    viewer.credential,
    viewer.credentialId,
    call.operation,
    target?.kind ?? null,
    target?.id ?? null,
    target?.name ?? null,
    verdict.outcome,
    verdict.code,
    call.requestId,
    call.address,
  ]
}

/**
 * Returns the audit row of a call that changed nothing, because it was refused or failed by a bug.
 */
export function refusalQuery(
  call: AuditedCall,
  target: AuditTarget,
  verdict: AuditVerdict,
): { name: string; text: string; values: unknown[] } {
  const slots = Array.from({ length: 16 }, (_, index) => `$${index + 1}`).join(', ')
  return {
    name: 'berth_refusal',
    text: `insert into audit_event (${auditColumns}) values (${slots})`,
    values: auditValues(target, call, verdict),
  }
}
