import { type Kysely, expressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type GivenAddress } from '../../domain/nic/addresses.ts'
import { type NicRow, type NicView, nicName } from '../../domain/nic/nic.ts'
import { named, nicsFrom } from '../../domain/nic/nics-from.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type SeenAddress } from '../../domain/vm/seen.ts'
import { readPage } from '../../engine/database/sql/page.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { vmsInNetworks } from './vms-in-networks.ts'

export class NicReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Of each of these machines, in their order. */
  async ofVms(vmIds: readonly string[]): Promise<ReadonlyMap<string, NicView[]>> {
    const found = await this.#reader.all(statement('nic.ofVms', nicsOfVms), { vmIds })
    const byVm = Map.groupBy(found, ({ vmId }) => vmId)
    return new Map(
      [...byVm].map(([vmId, nics]) => [
        vmId,
        nicsFrom(
          nics.map(({ seen: _seen, isLive: _isLive, ...row }) => row),
          { seen: nics[0]?.seen ?? null, isLive: nics[0]?.isLive ?? false },
        ),
      ]),
    )
  }

  /** All that a network has given and nobody else can get yet, in their order. */
  async addressesOf(networkId: string, asked: PageRequest): Promise<Page<GivenAddress>> {
    const page = await readPage(this.#reader, asked, {
      shape: 'nic.addresses',
      keys: [{ sql: sql.ref('nic.address'), type: 'inet', of: (row) => row.address }],
      direction: 'asc',
      args: { networkId },
      tenantColumn: 'nic.tenant_id',
      rows: given,
    })
    // The cursors are of the rows as they were read.
    return {
      ...page,
      nodes: page.nodes.map(({ ordinal, ...row }) => ({ ...row, nic: nicName(ordinal) })),
    }
  }

  /** Also of what rests. */
  async countAddressesOf(networkId: string): Promise<number> {
    const counted = statement('nic.countAddresses', (db) =>
      db.selectFrom('nic').select(countAll).where('network_id', '=', slot<string>('networkId')),
    )
    return (await only(this.#reader, counted, { networkId })).total
  }

  /** Who is in each of these networks, or VPCs, by name. */
  vmsIn(by: 'network' | 'vpc', ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    return vmsInNetworks(this.#reader, by, ids)
  }

  /** The addresses that these machines have in these networks. */
  async addressesIn(
    networkIds: readonly string[],
    vmIds: readonly string[],
  ): Promise<ReadonlyMap<string, string[]>> {
    if (vmIds.length === 0) return new Map()
    const found = statement('nic.addressesIn', (db) =>
      db
        .selectFrom('nic')
        .select([
          'vm_id as vmId',
          sql<string[]>`array_agg(host(address) order by address)`.as('addresses'),
        ])
        .where(sql<boolean>`vm_id = any(${slot('vmIds')}::uuid[])`)
        .where(sql<boolean>`network_id = any(${slot('networkIds')}::uuid[])`)
        .where('free_at', 'is', null)
        .groupBy('vm_id'),
    )
    return new Map(
      (await this.#reader.all(found, { networkIds, vmIds })).map(({ vmId, addresses }) => [
        vmId,
        addresses,
      ]),
    )
  }

  /** Those that a machine is to have, and whether the networks are there that they are in. */
  async wiringOf(vmId: string): Promise<WiredRow[]> {
    return (await this.plugsOf(vmId)).filter(({ isLeaving }) => !isLeaving)
  }

  /** The same, with those that its guest is to let go of while it runs. */
  async plugsOf(vmId: string): Promise<WiredRow[]> {
    const found = statement('nic.wiring', (db) =>
      rows(db)
        .select(sql<boolean>`coalesce(network.state = 'active', true)`.as('isOpen'))
        .where('nic.vm_id', '=', slot<string>('vmId'))
        .where(sql<boolean>`(nic.leave_requested_at is null or nic.waits_for is null)`)
        .orderBy('nic.ordinal'),
    )
    return (await this.#reader.all(found, { vmId })).map(named)
  }
}

/** A NIC, and whether its network is there. */
export interface WiredRow extends NicRow {
  isOpen: boolean
}

const shown = [
  ...([
    'nic.id',
    'nic.ordinal',
    'nic.kind',
    'nic.mac',
    'nic.vm_id as vmId',
    'nic.network_id as networkId',
  ] as const),
  sql<string | null>`host(nic.address)`.as('address'),
  ...([
    'network.name as networkName',
    'network.driver',
    'network.attachment_name as attachmentName',
  ] as const),
  ...(['network.attachment_namespace as attachmentNamespace', 'network.vpc_id as vpcId'] as const),
  'nic.network_cidr as cidr',
  sql<string | null>`host(network.gateway)`.as('gateway'),
  sql<boolean>`nic.leave_requested_at is not null`.as('isLeaving'),
  'nic.waits_for as waitsFor',
] as const

// Looked up for each: most have no network, and otherwise all networks would be read for a few
// NICs.
const rows = (db: Pick<Kysely<Tables>, 'selectFrom'>) =>
  db
    .selectFrom('nic')
    .leftJoinLateral(
      (own) =>
        own
          .selectFrom('network')
          .selectAll('network')
          .whereRef('network.id', '=', 'nic.network_id')
          .limit(1)
          .as('network'),
      (join) => join.onTrue(),
    )
    .select(shown)
    .where('nic.free_at', 'is', null)

const areNicsLive = sql<boolean>`coalesce(vm.nics_live_until > now(), false)`

/** Those of the machine whose row is read, and what was seen of them. */
export const nicsOfRow = [
  jsonArrayFrom(
    rows(expressionBuilder<Tables>())
      .where(sql<boolean>`nic.vm_id = vm.id`)
      .orderBy('nic.ordinal'),
  ).as('nics'),
  sql<SeenAddress[] | null>`vm.seen_nics`.as('seenNics'),
  areNicsLive.as('areNicsLive'),
] as const

const given = (db: Kysely<Tables>) =>
  db
    .selectFrom('nic')
    .innerJoin('vm', 'vm.id', 'nic.vm_id')
    .select(sql<string>`host(nic.address)`.as('address'))
    .select([
      'nic.mac',
      'nic.ordinal',
      'nic.vm_id as vmId',
      'vm.name as vmName',
      'nic.free_at as freeAt',
    ])
    .where('nic.network_id', '=', slot<string>('networkId'))

const nicsOfVms = (db: Kysely<Tables>) =>
  rows(db)
    .innerJoin('vm', 'vm.id', 'nic.vm_id')
    .select([sql<SeenAddress[] | null>`vm.seen_nics`.as('seen'), areNicsLive.as('isLive')])
    .where(sql<boolean>`nic.vm_id = any(${slot('vmIds')}::uuid[])`)
    .orderBy('nic.ordinal')
