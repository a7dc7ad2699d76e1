import { type ListQuery, byText, listReads } from '../../engine/database/sql/list-reads.ts'
import { type Kysely, sql } from 'kysely'
import { type AuditEventView, type AuditOutcome } from '../../domain/identity/audit.ts'
import { type SortKey } from '../../engine/database/sql/page.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

export interface AuditEventQuery extends Pick<ListQuery, 'direction'> {
  operation?: string | null
  actorName?: string | null
  outcome?: AuditOutcome | null
}

/**
 * Audit events, newest first. A tenant sees what happened in it, by any actor; the platform sees
 * all.
 */
export class AuditEventReads extends listReads<'audit_event', AuditEventView, AuditEventQuery>({
  stem: 'audit',
  tenantColumn: 'audit_event.tenant_id',
  rows: (db) => views(db),
  counted: (db) => db.selectFrom('audit_event').select(countAll),
  narrowedBy: {
    operation: byText(sql.ref('operation'), 'operation'),
    actorName: { where: sql<boolean>`lower(actor_name) = lower(${slot('actorName')})` },
    outcome: byText(sql.ref('outcome'), 'outcome'),
  },
  sortedBy: () => keys,
  direction: 'desc',
}) {}

const keys: readonly SortKey<AuditEventView>[] = [
  { sql: sql.ref('at'), type: 'timestamptz', of: (row) => row.at },
  { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id },
]

const views = (db: Kysely<Tables>) =>
  db
    .selectFrom('audit_event')
    .select('at')
    .select([
      'id',
      'credential',
      'operation',
      'outcome',
      'code',
      'address',
      'tenant_id as tenantId',
    ])
    .select([
      'actor_id as actorId',
      'actor_name as actorName',
      'actor_role as actorRole',
      'request_id as requestId',
    ])
    .select(['target_kind as targetKind', 'target_id as targetId', 'target_name as targetName'])
    .select(
      sql<boolean>`(tenant_id is not null and actor_role = 'root' and tenant_id is distinct from actor_tenant_id)`.as(
        'byPlatform',
      ),
    )
