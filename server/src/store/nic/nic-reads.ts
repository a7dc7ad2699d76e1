import { type VmInNetwork } from '../../domain/network/vm-in-network.ts'
import { type Kysely, expressionBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type AllocatedAddress } from '../../domain/nic/addresses.ts'
import { type NicRow, type NicView, nicName } from '../../domain/nic/nic.ts'
import { withNetworkNames, nicsFrom } from '../../domain/nic/nics-from.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type ObservedAddress } from '../../domain/vm/observed.ts'
import { readPage } from '../../engine/database/sql/page.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { vmsInNetworks } from './vms-in-networks.ts'

/** Reads the NICs of VMs and the addresses of networks. */
export class NicReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Returns the NICs of each VM, in order. */
  async ofVms(vmIds: readonly string[]): Promise<ReadonlyMap<string, NicView[]>> {
    const found = await this.#reader.all(statement('nic.ofVms', nicsOfVms), { vmIds })
    const byVm = Map.groupBy(found, ({ vmId }) => vmId)
    return new Map(
      [...byVm].map(([vmId, nics]) => [
        vmId,
        nicsFrom(
          nics.map(({ observed: _observed, isLive: _isLive, ...row }) => row),
          { observed: nics[0]?.observed ?? null, isLive: nics[0]?.isLive ?? false },
        ),
      ]),
    )
  }

  /** Returns the addresses of a network that are assigned or resting, in order. */
  async addressesOf(networkId: string, request: PageRequest): Promise<Page<AllocatedAddress>> {
    const page = await readPage(this.#reader, request, {
      shape: 'nic.addresses',
      keys: [{ sql: sql.ref('nic.address'), type: 'inet', of: (row) => row.address }],
      direction: 'asc',
      args: { networkId },
      tenantColumn: 'nic.tenant_id',
      rows: assignedAddresses,
    })
    // Cursors refer to the rows as they were read, so rows are changed only here.
    return {
      ...page,
      nodes: page.nodes.map(({ ordinal, ...row }) => ({ ...row, nic: nicName(ordinal) })),
    }
  }

  /** Counts the assigned and the resting addresses of a network. */
  async countAddressesOf(networkId: string): Promise<number> {
    const counted = statement('nic.countAddresses', (db) =>
      db.selectFrom('nic').select(countAll).where('network_id', '=', slot<string>('networkId')),
    )
    return (await only(this.#reader, counted, { networkId })).total
  }

  /** Returns the VMs in each of these networks or VPCs. */
  vmsIn(
    by: 'network' | 'vpc',
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, VmInNetwork[]>> {
    return vmsInNetworks(this.#reader, by, ids)
  }

  /** Returns the addresses of these VMs in these networks. */
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

  /** Returns the NICs that a VM should have, and whether their networks are active. */
  async desiredOf(vmId: string): Promise<NicWithNetwork[]> {
    return (await this.desiredAndLeavingOf(vmId)).filter(({ isLeaving }) => !isLeaving)
  }

  /** Returns the NICs as `desiredOf` does, with those that the running guest should release. */
  async desiredAndLeavingOf(vmId: string): Promise<NicWithNetwork[]> {
    const found = statement('nic.desiredAndLeavingOf', (db) =>
      rows(db)
        .select(sql<boolean>`coalesce(network.state = 'active', true)`.as('isNetworkActive'))
        .where('nic.vm_id', '=', slot<string>('vmId'))
        .where(sql<boolean>`(nic.leave_requested_at is null or nic.waits_for is null)`)
        .orderBy('nic.ordinal'),
    )
    return (await this.#reader.all(found, { vmId })).map(withNetworkNames)
  }
}

/** A NIC, and whether its network is active. */
export interface NicWithNetwork extends NicRow {
  isNetworkActive: boolean
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

// The network is looked up for each NIC: most NICs have none, and a plain join would read all
// networks for a few NICs.
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

/** Columns with the NICs of the VM's row, and with their observed state. */
export const nicsOfRow = [
  jsonArrayFrom(
    rows(expressionBuilder<Tables>())
      .where(sql<boolean>`nic.vm_id = vm.id`)
      .orderBy('nic.ordinal'),
  ).as('nics'),
  sql<ObservedAddress[] | null>`vm.observed_nics`.as('observedNics'),
  areNicsLive.as('areNicsLive'),
] as const

const assignedAddresses = (db: Kysely<Tables>) =>
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
    .select([
      sql<ObservedAddress[] | null>`vm.observed_nics`.as('observed'),
      areNicsLive.as('isLive'),
    ])
    .where(sql<boolean>`nic.vm_id = any(${slot('vmIds')}::uuid[])`)
    .orderBy('nic.ordinal')
