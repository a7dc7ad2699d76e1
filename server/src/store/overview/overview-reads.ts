import { type Kysely, sql } from 'kysely'
import { type TenantCounts, countedAs } from '../../domain/dashboard/dashboard.ts'
import { maxNotifications } from '../../domain/notification/notification.ts'
import { type SearchResult, type FoundKind, maxResults } from '../../domain/search/search.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { casesReportedAs } from '../../domain/vm/wire-state.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import {
  type Filterable,
  contains,
  countAll,
  searchPattern,
} from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { vmViewColumns } from '../vm/vm-columns.ts'
import { matchesVm } from '../vm/vm-search.ts'
import { reportedCase } from '../vm/vm-start.ts'

/** Reads across everything that one tenant has, each with one statement. */
export class OverviewReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  counts(): Promise<TenantCounts> {
    return only(this.#reader, statement('overview.counts', counting), {
      ...this.#own,
      ...stateLists,
    })
  }

  /** Returns the VMs that were updated last. */
  recentVms(most: number): Promise<VmView[]> {
    const recent = statement('overview.recentVms', (db) =>
      ownVms(db)
        .select(vmViewColumns)
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .limit(slot<number>('most')),
    )
    return this.#reader.all(recent, { ...this.#own, most })
  }

  /** Returns the VMs that have failed, followed by those that are changing. */
  vmsNeedingAttention(): Promise<VmView[]> {
    return this.#reader.all(statement('overview.vmsNeedingAttention', noticing), {
      ...this.#own,
      ...stateLists,
      most: maxNotifications,
    })
  }

  /** Finds objects of these kinds by a text in their names or addresses. */
  search(text: string, kinds: readonly FoundKind[]): Promise<SearchResult[]> {
    return this.#reader.all(statement('overview.search', searching), {
      ...this.#own,
      kinds,
      most: maxResults,
      search: searchPattern(text),
    })
  }

  get #own(): { ownTenant: string | null } {
    return { ownTenant: this.#reader.tenantId }
  }
}

const stateLists = {
  running: casesReportedAs(...countedAs.running),
  failed: casesReportedAs(...countedAs.failed),
  changing: casesReportedAs(...countedAs.changing),
}

/** Repeats the tenant predicate so that indexes are used under row level security. */
const ofOwn = <Query extends Filterable<Query>>(query: Query): Query =>
  query.where(sql<boolean>`tenant_id = ${slot('ownTenant')}`)

const own = <Query extends Filterable<Query>>(query: Query): Query =>
  ofOwn(query).where(sql<boolean>`gone_at is null`)

const ownVms = (db: Kysely<Tables>) => own(db.selectFrom('vm'))

const isOf = (states: keyof typeof stateLists) =>
  sql<boolean>`${reportedCase} = any(${slot(states)}::text[])`
const countOf = (states: keyof typeof stateLists) =>
  sql<number>`(count(*) filter (where ${isOf(states)}))::int`

const counting = (db: Kysely<Tables>) =>
  ownVms(db).select([
    sql<number>`count(*)::int`.as('vms'),
    countOf('running').as('vmsRunning'),
    countOf('failed').as('vmsFailed'),
    countOf('changing').as('vmsChanging'),
    sql<number>`(${own(db.selectFrom('vpc')).select(countAll)})`.as('vpcs'),
    sql<number>`(${own(db.selectFrom('network')).select(countAll)})`.as('networks'),
    sql<number>`(${own(db.selectFrom('volume')).select(countAll)})`.as('volumes'),
    sql<number>`(${ofOwn(db.selectFrom('security_group')).select(countAll)})`.as('securityGroups'),
  ])

const noticing = (db: Kysely<Tables>) =>
  ownVms(db)
    .select(vmViewColumns)
    .where(sql<boolean>`(${isOf('failed')} or ${isOf('changing')})`)
    .orderBy(isOf('failed'), 'desc')
    .orderBy('name')
    .limit(slot<number>('most'))

const addressed = sql<boolean>`(${contains('name')} or text(cidr) ilike ${slot('search')})`
const isRequested = (kind: FoundKind) =>
  sql<boolean>`${sql.lit(kind)} = any(${slot('kinds')}::text[])`
const kindOf = (kind: FoundKind) => sql<FoundKind>`${sql.lit(kind)}::text`.as('kind')
const volumeSize = sql<string | null>`size_gi || ' GiB'`.as('detail')
const groupDetail = sql<string | null>`nullif(description, '')`.as('detail')
const cidr = sql<string | null>`text(cidr)`.as('detail')

const searching = (db: Kysely<Tables>) =>
  ownVms(db)
    .select([kindOf('vm'), 'id', 'name', sql<string | null>`ip`.as('detail')])
    .where(isRequested('vm'))
    .where(matchesVm)
    .unionAll(
      own(db.selectFrom('vpc'))
        .select([kindOf('vpc'), 'id', 'name', cidr])
        .where(isRequested('vpc'))
        .where(addressed),
    )
    .unionAll(
      own(db.selectFrom('network'))
        .select([kindOf('network'), 'id', 'name', cidr])
        .where(isRequested('network'))
        .where(addressed),
    )
    .unionAll(
      own(db.selectFrom('volume'))
        .select([kindOf('volume'), 'id', 'name', volumeSize])
        .where(isRequested('volume'))
        .where(contains('name')),
    )
    .unionAll(
      ofOwn(db.selectFrom('security_group'))
        .select([kindOf('security_group'), 'id', 'name', groupDetail])
        .where(isRequested('security_group'))
        .where(contains('name', 'description')),
    )
    .orderBy('kind')
    .orderBy('name')
    .limit(slot<number>('most'))
