import { type Kysely, sql } from 'kysely'
import { type AuditEventView, type AuditOutcome } from '../../domain/identity/audit.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type SortKey, readPage } from '../../engine/database/sql/page.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import { type Filterable, countAll, whereIf } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

export interface AuditEventQuery {
  operation?: string | null
  actorName?: string | null
  outcome?: AuditOutcome | null
}

/**
 * Audit events, newest first. A tenant sees what happened in it, by any actor; the platform sees
 * all.
 */
export class AuditEventReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  list(page: PageRequest, query: AuditEventQuery): Promise<Page<AuditEventView>> {
    return readPage(this.#reader, page, {
      shape: `audit.list ${shapeOf(query)}`,
      keys,
      direction: 'desc',
      args: { ...query },
      tenantColumn: 'audit_event.tenant_id',
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: AuditEventQuery): Promise<number> {
    const counted = statement(`audit.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('audit_event').select(countAll), query),
    )
    return (await only(this.#reader, counted, { ...query })).total
  }
}

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

const filters = {
  operation: sql<boolean>`operation = ${slot('operation')}`,
  actorName: sql<boolean>`lower(actor_name) = lower(${slot('actorName')})`,
  outcome: sql<boolean>`outcome = ${slot('outcome')}`,
} as const
const filterNames = ['operation', 'actorName', 'outcome'] as const

function matching<Query extends Filterable<Query>>(query: Query, filter: AuditEventQuery): Query {
  return filterNames.reduce(
    (narrowed, name) => whereIf(Boolean(filter[name]), narrowed, filters[name]),
    query,
  )
}

const shapeOf = (query: AuditEventQuery): string =>
  filterNames.filter((name) => query[name]).join('+')
