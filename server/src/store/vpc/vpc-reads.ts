import { sql } from 'kysely'
import { type NetState, type VpcView } from '../../domain/vpc/vpc.ts'
import {
  byCreation,
  byNameOrAge,
  byStates,
  type NamedQuery,
  listReads,
} from '../../engine/database/sql/list-reads.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/** The state of a VPC or a network as clients see it. */
export const shownState = sql<NetState>`case when delete_requested_at is null then state else 'deleting' end`

export interface VpcQuery extends NamedQuery {
  states?: readonly NetState[] | null
}

/** The CIDR of a named VPC or network. */
export interface NamedCidr {
  name: string
  cidr: string
}

export class VpcReads extends listReads<'vpc', VpcView, VpcQuery>({
  stem: 'vpc',
  tenantColumn: 'vpc.tenant_id',
  rows: (db) => db.selectFrom('vpc').select(vpcViewColumns),
  counted: (db) => db.selectFrom('vpc').select(countAll),
  found: sql<boolean>`(${contains('name')} or text(cidr) ilike ${slot('search')})`,
  narrowedBy: { ...byCreation, states: byStates(shownState) },
  keepsGone: true,
  sortedBy: byNameOrAge,
}) {
  findByName(name: string): Promise<VpcView | null> {
    const found = statement('vpc.findByName', (db) =>
      db
        .selectFrom('vpc')
        .select(vpcViewColumns)
        .where('gone_at', 'is', null)
        .where(sql<boolean>`lower(name) = lower(${slot('name')})`),
    )
    return one(this.reader, found, { name })
  }

  /** Returns the CIDRs of a tenant's VPCs in order, including those that are being deleted. */
  cidrsOf(tenantId: string): Promise<NamedCidr[]> {
    const taken = statement('vpc.cidrs', (db) =>
      db
        .selectFrom('vpc')
        .select(['name', 'cidr'])
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where('gone_at', 'is', null)
        .orderBy('cidr'),
    )
    return this.reader.all(taken, { tenantId })
  }
}

/** Columns of the view, which an insert returns as well. */
export const vpcViewColumns = [
  ...([
    'id',
    'name',
    'cidr',
    'namespace',
    'version',
    'tenant_id as tenantId',
    'is_default as isDefault',
  ] as const),
  sql<string>`coalesce(requested_cidr, text(cidr))`.as('requestedCidr'),
  shownState.as('state'),
  ...([
    'state_reason as stateReason',
    'created_at as createdAt',
    'updated_at as updatedAt',
  ] as const),
] as const
