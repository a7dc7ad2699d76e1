import { sql } from 'kysely'
import { type NetworkView } from '../../domain/network/network.ts'
import { type NetState } from '../../domain/vpc/vpc.ts'
import {
  byCreation,
  byNameOrAge,
  type NamedQuery,
  listReads,
  byId,
  byStates,
} from '../../engine/database/sql/list-reads.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type NamedCidr, shownState } from '../vpc/vpc-reads.ts'

export interface NetworkQuery extends NamedQuery {
  states?: readonly NetState[] | null
  vpcId?: string | null
}

export class NetworkReads extends listReads<'network', NetworkView, NetworkQuery>({
  stem: 'network',
  tenantColumn: 'network.tenant_id',
  rows: (db) => db.selectFrom('network').select(networkViewColumns),
  counted: (db) => db.selectFrom('network').select(countAll),
  found: sql<boolean>`(${contains('name')} or text(cidr) ilike ${slot('search')})`,
  narrowedBy: { ...byCreation, states: byStates(shownState), vpcId: byId('vpc_id', 'vpcId') },
  keepsGone: true,
  sortedBy: byNameOrAge,
}) {
  /** Returns the network that was created with the first VPC of the tenant. */
  async defaultIds(tenantId: string): Promise<string[]> {
    const first = statement('network.default', (db) =>
      db
        .selectFrom('network')
        .innerJoin('vpc', 'vpc.id', 'network.vpc_id')
        .select('network.id')
        .where('network.tenant_id', '=', slot<string>('tenantId'))
        .where('network.is_default', '=', sql<boolean>`true`)
        .where('vpc.is_default', '=', sql<boolean>`true`)
        .where('network.gone_at', 'is', null),
    )
    return (await this.reader.all(first, { tenantId })).map(({ id }) => id)
  }

  /** Returns the CIDRs of a VPC's networks in order, including those that are being deleted. */
  cidrsOf(vpcId: string): Promise<NamedCidr[]> {
    const taken = statement('network.cidrs', (db) =>
      db
        .selectFrom('network')
        .select(['name', 'cidr'])
        .where('vpc_id', '=', slot<string>('vpcId'))
        .where('gone_at', 'is', null)
        .orderBy('cidr'),
    )
    return this.reader.all(taken, { vpcId })
  }
}

/** Columns of the view, which an insert returns as well. */
export const networkViewColumns = [
  ...([
    'id',
    'name',
    'cidr',
    'gateway',
    'driver',
    'mtu',
    'version',
    'tenant_id as tenantId',
    'vpc_id as vpcId',
  ] as const),
  ...([
    'attachment_namespace as attachmentNamespace',
    'attachment_name as attachmentName',
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
