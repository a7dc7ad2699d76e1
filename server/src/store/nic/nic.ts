import { UnitStore } from '../../engine/database/unit-store.ts'
import { type VmInNetwork } from '../../domain/network/vm-in-network.ts'
import { type Kysely, sql } from 'kysely'
import { type NicWaitReason } from '../../domain/nic/wait-reasons.ts'
import { type NicKind } from '../../domain/nic/nic.ts'
import { type AddressRange } from '../../domain/nic/addresses.ts'
import { type NicHolder } from '../../domain/nic/inherited-nics.ts'
import { newId } from '../../runtime/ids.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { type SqlClient } from '../../engine/database/sql/sql-client.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { vmsInNetworks } from './vms-in-networks.ts'

export interface NewNic {
  ordinal: number
  kind: NicKind
  mac: string
  /**
   * The network and its address; null on the cluster network. The public network has no row, so its
   * CIDR is null.
   */
  networkAddress: { networkId: string; cidr: string | null; address: string } | null
  waitsFor?: NicWaitReason | null
}

export interface NicOfVm {
  id: string
  ordinal: number
  kind: NicKind
  networkId: string | null
  isLeaving: boolean
  waitsFor: NicWaitReason | null
}

/** The owner of NICs, and the seconds before their addresses are reused. */
export interface NicOwner {
  vmId: string
  tenantId: string
  restSeconds: number
}

/** Addresses of a VM that is gone, or of NICs that were removed from it. */
export interface FormerAddresses {
  vmId: string
  macs: readonly string[]
  networkIds: readonly string[]
  addresses: readonly string[]
}

/** Writes the NICs of VMs, and assigns their addresses, in the transaction of a unit of work. */
export class NicStore extends UnitStore {
  /** Reserves a free address of these ranges for this unit; null when none is free. */
  async freeAddress(networkId: string, ranges: readonly AddressRange[]): Promise<string | null> {
    const firsts = ranges.map(({ first }) => first)
    const lasts = ranges.map(({ last }) => last)
    return (
      await only(this.reader, statement('nic.free', freeAddress), { networkId, firsts, lasts })
    ).address
  }

  /** Returns the names of the VMs with a NIC in the network. */
  async vmsIn(networkId: string): Promise<readonly VmInNetwork[]> {
    return (await vmsInNetworks(this.reader, 'network', [networkId])).get(networkId) ?? []
  }

  /** Returns the names of the VMs with a NIC in any network of the VPC. */
  async vmsInVpc(vpcId: string): Promise<readonly VmInNetwork[]> {
    return (await vmsInNetworks(this.reader, 'vpc', [vpcId])).get(vpcId) ?? []
  }

  /** Returns the NICs that a VM has or should have. */
  ofVm(vmId: string): Promise<NicOfVm[]> {
    const found = statement('nic.ofVm', (db) =>
      db
        .selectFrom('nic')
        .select(['id', 'ordinal', 'kind', 'network_id as networkId', 'waits_for as waitsFor'])
        .select(sql<boolean>`leave_requested_at is not null`.as('isLeaving'))
        .where('vm_id', '=', slot<string>('vmId'))
        .where('free_at', 'is', null)
        .orderBy('ordinal'),
    )
    return this.reader.all(found, { vmId })
  }

  async requestLeave(id: string, waitsFor: NicWaitReason | null): Promise<void> {
    const requested = statement('nic.requestLeave', (db) =>
      db
        .updateTable('nic')
        .set({
          leave_requested_at: sql<string>`coalesce(leave_requested_at, now())`,
          waits_for: slot<NicWaitReason | null>('waitsFor'),
        })
        .where('id', '=', slot<string>('id')),
    )
    await this.reader.all(requested, { id, waitsFor })
  }

  /**
   * Releases NICs that no guest has any more, so that their addresses start to rest. Only the
   * reconciler calls this.
   */
  async release(ids: readonly string[]): Promise<void> {
    const left = statement('nic.release', (db) =>
      db
        .updateTable('nic')
        .set({ free_at: sql<string>`now() + make_interval(secs => rest_seconds)` })
        .where(sql<boolean>`id = any(${slot('ids')}::uuid[])`),
    )
    await this.reader.all(left, { ids })
  }

  /**
   * Frees the resting addresses of a VM for its clone. They rest only so that no other VM is
   * mistaken for it.
   */
  async reclaim(former: FormerAddresses): Promise<void> {
    await this.reader.all(statement('nic.reclaim', reclaiming), { ...former })
  }

  /** Returns the VMs with any of these MACs or addresses, as far as the tenant can see them. */
  holdersOf({ macs, networkIds, addresses }: Omit<FormerAddresses, 'vmId'>): Promise<NicHolder[]> {
    return this.reader.all(statement('nic.holders', holders), { macs, networkIds, addresses })
  }

  async insert({ vmId, tenantId, restSeconds }: NicOwner, nics: readonly NewNic[]): Promise<void> {
    await this.reader.all(statement('nic.insert', inserting), {
      vmId,
      tenantId,
      restSeconds,
      ids: nics.map(() => newId()),
      ordinals: nics.map(({ ordinal }) => ordinal),
      kinds: nics.map(({ kind }) => kind),
      macs: nics.map(({ mac }) => mac),
      networkIds: nics.map(({ networkAddress }) => networkAddress?.networkId ?? null),
      cidrs: nics.map(({ networkAddress }) => networkAddress?.cidr ?? null),
      addresses: nics.map(({ networkAddress }) => networkAddress?.address ?? null),
      waits: nics.map(({ waitsFor }) => waitsFor ?? null),
    })
  }
}

const restedNics = `
delete from nic where id in (select id from nic where free_at < clock_timestamp() order by free_at limit $1)`

/** Deletes one batch of NICs whose addresses have rested, and returns their number. */
export async function sweepNics(client: SqlClient, { batch }: { batch: number }): Promise<number> {
  return (await client.query(restedNics, [batch])).rowCount ?? 0
}

const freeAddress = (db: Kysely<Tables>) =>
  db.selectNoFrom(
    sql<
      string | null
    >`host(next_free_address(${slot('networkId')}::uuid, ${slot('firsts')}::inet[], ${slot('lasts')}::inet[]))`.as(
      'address',
    ),
  )

const isFormer = sql<boolean>`(nic.mac = any(${slot('macs')}::text[])
  or (nic.network_id, nic.address) in (select * from unnest(${slot('networkIds')}::uuid[], ${slot('addresses')}::inet[])))`

const reclaiming = (db: Kysely<Tables>) =>
  db
    .deleteFrom('nic')
    .where(isFormer)
    .where(
      sql<boolean>`(free_at <= clock_timestamp() or (free_at is not null and vm_id = ${slot('vmId')}::uuid))`,
    )

const holders = (db: Kysely<Tables>) =>
  db
    .selectFrom('nic')
    .innerJoin('vm', 'vm.id', 'nic.vm_id')
    .select([
      'nic.mac',
      'nic.network_id as networkId',
      'vm.name as vmName',
      'nic.free_at as freeAt',
    ])
    .select(sql<string | null>`host(nic.address)`.as('address'))
    .where(isFormer)

const inserting = (db: Kysely<Tables>) =>
  db
    .insertInto('nic')
    .columns([
      'id',
      'ordinal',
      'kind',
      'mac',
      'network_id',
      'network_cidr',
      'address',
      'vm_id',
      'tenant_id',
      'rest_seconds',
      'waits_for',
    ])
    .expression(
      sql`select id, ordinal, kind, mac, network_id, cidr, address, ${slot('vmId')}::uuid, ${slot('tenantId')}::uuid, ${slot('restSeconds')}::int, waits_for
        from unnest(${slot('ids')}::uuid[], ${slot('ordinals')}::int[], ${slot('kinds')}::text[], ${slot('macs')}::text[],
          ${slot('networkIds')}::uuid[], ${slot('cidrs')}::cidr[], ${slot('addresses')}::inet[], ${slot('waits')}::text[])
          as new_nic (id, ordinal, kind, mac, network_id, cidr, address, waits_for)`,
    )
