import { UnitStore } from '../../engine/database/unit-store.ts'
import { driversWithSubnet } from '../../domain/network/driver.ts'
import { LockMode, raw } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type NetworkDriver } from '../../domain/network/driver.ts'
import { type NetworkView, attachmentName } from '../../domain/network/network.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { Network } from './network-entity.ts'
import { networkViewColumns } from './network-reads.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { type TakenName, isLeaving } from '../../engine/database/sql/is-named.ts'
import { one, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { takeAdvisoryLock } from '../../engine/database/advisory-lock.ts'
import { type Message } from '../../engine/model/message.ts'

const tagsLock = 0x7461_6773

export interface NewNetworkRow extends Pick<
  NetworkView,
  'tenantId' | 'vpcId' | 'name' | 'cidr' | 'gateway' | 'isDefault' | 'attachmentNamespace'
> {
  vpcCidr: string
  requestedCidr?: string | null
}

/** The observed state of a network. Only the reconciler writes it. */
export type ObservedNetworkState = Partial<
  Pick<Network, 'state' | 'clusterUid' | 'observedVersion'>
> & {
  stateReason: Message | null
}

/**
 * The settings of a network's driver, assigned once. `tagged` is null for drivers that use no VLAN
 * tags.
 */
export interface AssignedSegment {
  driver: NetworkDriver
  mtu: number
  tagged: { bridge: string; segment: number } | null
}

export interface TagRange {
  first: number
  last: number
}

/**
 * Writes networks in the transaction of a unit of work: use cases their desired state, the
 * reconciler their observed state.
 */
export class NetworkStore extends UnitStore {
  insert(values: NewNetworkRow): Promise<NetworkView> {
    const id = newId()
    return insertNetwork(this.reader, { ...values, id, attachmentName: attachmentName(id) })
  }

  /** Returns the tenant's network, locked until the unit ends. */
  get(id: string): Promise<Network> {
    return this.lockById(Network, { id, goneAt: null }, 'network')
  }

  /** Returns the row, locked, even when the network is gone; null when it never existed. */
  row(id: string): Promise<Network | null> {
    return this.lockRow(Network, { id })
  }

  /**
   * Returns the tenant's networks with these ids, in any order. They cannot be deleted before the
   * unit ends.
   */
  async hold(tenantId: string, ids: readonly string[]): Promise<NetworkView[]> {
    if (ids.length === 0) return []
    const held = statement('network.hold', (db) =>
      db
        .selectFrom('network')
        .select(networkViewColumns)
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where(sql<boolean>`id = any(${slot('ids')}::uuid[])`)
        .where('gone_at', 'is', null)
        .orderBy('id')
        .forKeyShare(),
    )
    const found = await this.reader.all(held, { tenantId, ids: ids.filter(isId) })
    const missing = ids.find((id) => !found.some((network) => network.id === id))
    if (missing !== undefined) throw notFound('network', missing)
    return found
  }

  /** Returns the networks of a VPC that are not gone, locked. */
  ofVpc(vpcId: string): Promise<Network[]> {
    return this.unit.em.find(
      Network,
      { vpcId, goneAt: null },
      { orderBy: { name: 'asc', id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    )
  }

  async countOf(vpcId: string): Promise<number> {
    const counted = statement('network.countOf', (db) =>
      db
        .selectFrom('network')
        .select(countAll)
        .where('vpc_id', '=', slot<string>('vpcId'))
        .where('gone_at', 'is', null),
    )
    return (await only(this.reader, counted, { vpcId })).total
  }

  /** True when a network of the VPC has or had a subnet. */
  async hadSubnet(vpcId: string): Promise<boolean> {
    const found = statement('network.hadSubnet', (db) =>
      db
        .selectFrom('network')
        .select('id')
        .where('vpc_id', '=', slot<string>('vpcId'))
        .where('driver', 'in', driversWithSubnet)
        .limit(1),
    )
    return (await one(this.reader, found, { vpcId })) !== null
  }

  takenName(vpcId: string, name: string): Promise<TakenName | null> {
    const named = statement('network.named', (db) =>
      db
        .selectFrom('network')
        .select(isLeaving)
        .where('vpc_id', '=', slot<string>('vpcId'))
        .where(sql<boolean>`lower(name) = lower(${slot('name')})`)
        .where('gone_at', 'is', null),
    )
    return one(this.reader, named, { vpcId, name })
  }

  /** Records the request. The reconciler does the rest. */
  requestDelete(network: Network): void {
    network.deleteRequestedAt ??= raw('now()')
  }

  /**
   * Returns the lowest VLAN tag that no existing network has; null when all are taken. `usedTags`
   * are those in the cluster, which may have networks that the database does not know. The next
   * caller waits until this unit has ended. It needs the scope of the platform, which sees the tags
   * of all tenants.
   */
  async freeTag(
    ranges: readonly TagRange[],
    usedTags: readonly number[] = [],
  ): Promise<number | null> {
    await takeAdvisoryLock(this.reader, tagsLock)
    const found = await one(this.reader, statement('network.freeTag', freeTags), {
      firsts: ranges.map(({ first }) => first),
      lasts: ranges.map(({ last }) => last),
      usedTags,
    })
    return found?.tag ?? null
  }

  assign(network: Network, { driver, mtu, tagged }: AssignedSegment): void {
    Object.assign(network, {
      driver,
      mtu,
      bridge: tagged?.bridge ?? null,
      segment: tagged?.segment ?? null,
    })
  }

  recordSubnet(network: Network, generation: number | null): void {
    network.subnetGeneration = generation
  }

  observe(network: Network, observed: ObservedNetworkState): void {
    Object.assign(network, observed)
    network.observedAt = raw('now()')
  }

  /**
   * Marks the network as gone: its attachment is deleted, and its segment is free. The row stays as
   * a record.
   */
  markGone(network: Network): void {
    network.goneAt = raw('now()')
  }
}

const freeTags = (db: Kysely<Tables>) =>
  db
    .selectFrom(
      sql<{
        tag: number
      }>`(select tag from unnest(${slot('firsts')}::int[], ${slot('lasts')}::int[]) as pool (first, last),
        generate_series(pool.first, pool.last) as tag)`.as('pool'),
    )
    .select('pool.tag')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('network')
            .select('network.id')
            .whereRef('network.segment', '=', 'pool.tag')
            .where('network.gone_at', 'is', null),
        ),
      ),
    )
    .where(sql<boolean>`pool.tag <> all(${slot('usedTags')}::int[])`)
    .orderBy('pool.tag')
    .limit(1)

const insertNetwork = insertInto('network', (row) => row.returning(networkViewColumns))
