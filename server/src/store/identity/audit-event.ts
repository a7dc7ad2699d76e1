import { type ListQuery, byText, listReads } from '../../engine/database/sql/list-reads.ts'
import { type Kysely, sql } from 'kysely'
import { type AuditEventView, type AuditFilter } from '../../domain/identity/audit.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { type SortKey } from '../../engine/database/sql/page.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

export interface AuditEventQuery extends AuditFilter, Pick<ListQuery, 'direction'> {}

const moment = (field: string) => sql<string>`cast(${slot(field)} as timestamptz)`

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
    since: { where: sql<boolean>`at >= ${moment('since')}` },
    before: { where: sql<boolean>`at < ${moment('before')}` },
  },
  sortedBy: () => keys,
  direction: 'desc',
}) {
  /** Returns the end of a span that is read now: the requested end, unless it is in the future. */
  async endOfSpan(before: string | null): Promise<string> {
    return (await only(this.reader, endOfSpan, { before })).before
  }
}

const endOfSpan = statement('audit.end_of_span', (db) =>
  db.selectNoFrom(sql<string>`least(clock_timestamp(), ${moment('before')})`.as('before')),
)

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
