import { type Kysely, sql } from 'kysely'
import { nicsFrom } from '../../domain/nic/nics-from.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type OwnDiskColumns, type VmOwnDisk, ownDisksOf } from '../../domain/volume/own-disks.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type WireState, casesReportedAs } from '../../domain/vm/wire-state.ts'
import {
  byCreation,
  byId,
  byNameOrAge,
  byText,
  type NamedQuery,
  listReads,
  type Selected,
  byStates,
} from '../../engine/database/sql/list-reads.ts'
import { ofOwnTenant } from '../../engine/database/sql/own-tenant.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type VmListRow, vmColumns } from './vm-columns.ts'
import { matchesVm } from './vm-search.ts'
import { reportedCase } from './vm-start.ts'

export interface VmQuery extends NamedQuery {
  states?: readonly VmState[] | null
  wireStates?: readonly WireState[] | null
  tag?: string | null
  templateId?: string | null
  networkId?: string | null
  host?: string | null
  /** Only VMs of this tenant, in a list of all tenants. */
  tenantId?: string | null
}

const tenantColumn = 'vm.tenant_id'

const rows = (db: Kysely<Tables>, rarer: readonly string[], where: { ofOneTenant: boolean }) =>
  db.selectFrom('vm').select(vmColumns.columns(rarer, where))

const VmRows = listReads<'vm', VmListRow, VmQuery>({
  stem: 'vm',
  tenantColumn,
  groupsFor: vmColumns.groupsFor,
  rows,
  counted: (db) => db.selectFrom('vm').select(countAll),
  found: matchesVm,
  keepsGone: true,
  narrowedBy: {
    ...byCreation,
    states: byStates(),
    wireStates: {
      where: sql<boolean>`${reportedCase} = any(${slot('wireStates')}::text[])`,
      // The type of the query allows only these words.
      bound: (words) => casesReportedAs(...((words ?? []) as readonly WireState[])),
    },
    tag: { where: sql<boolean>`vm.tags @> array[${slot('tag')}]` },
    templateId: byId('vm.template_id', 'templateId'),
    networkId: {
      ...byId('nic.network_id', 'networkId'),
      where: sql<boolean>`vm.id in (select vm_id from nic where network_id = ${slot('networkId')} and free_at is null)`,
    },
    host: byText(sql.ref('vm.host'), 'host'),
    tenantId: byId(tenantColumn, 'tenantId'),
  },
  sortedBy: byNameOrAge,
})

/** Reads VMs as clients see them, and only the fields that a query selects. */
export class VmReads {
  readonly #reader: Reader
  readonly #rows: InstanceType<typeof VmRows>

  constructor(reader: Reader) {
    this.#reader = reader
    this.#rows = new VmRows(reader)
  }

  /** Returns the VM. Fields that are not selected may be missing, here and in the methods below. */
  async find(id: string, selected: Selected = null): Promise<VmView | null> {
    return viewOf(await this.#rows.find(id, selected))
  }

  async findAll(ids: readonly string[]): Promise<VmView[]> {
    return (await this.#rows.findAll(ids)).map((row) => viewOf(row))
  }

  async findByName(name: string, selected: Selected = null): Promise<VmView | null> {
    const rarer = vmColumns.groupsFor(selected)
    const { tenantId: ownTenant } = this.#reader
    const column = ownTenant === null ? null : tenantColumn
    const named = statement(`vm.findByName ${column !== null} ${rarer.join('+')}`, (db) =>
      ofOwnTenant(
        rows(db, rarer, singleRow)
          .where('gone_at', 'is', null)
          .where('name', '=', slot<string>('name')),
        column,
      ),
    )
    return viewOf(await one(this.#reader, named, { name, ownTenant }))
  }

  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const named = statement('vm.namesOf', (db) =>
      db
        .selectFrom('vm')
        .select(['id', 'name'])
        .where(sql<boolean>`id = any(${slot('ids')}::uuid[])`),
    )
    return new Map((await this.#reader.all(named, { ids })).map((vm) => [vm.id, vm.name]))
  }

  /** Returns the disks that belong to these VMs themselves. */
  async ownDisksOf(ids: readonly string[]): Promise<ReadonlyMap<string, VmOwnDisk[]>> {
    const found = statement('vm.ownDisks', (db) =>
      db
        .selectFrom('vm')
        .select([
          'id',
          'root_disk as rootDisk',
          'boot_disk_size_gi as bootDiskSizeGi',
          'storage_class as storageClass',
          'iso_size_gi as isoSizeGi',
          'root_claim as rootClaim',
          'disk_uid as diskUid',
          'iso_uid as isoUid',
        ])
        .where(sql<boolean>`id = any(${slot('ids')}::uuid[])`),
    )
    const columns: OwnDiskColumns[] = await this.#reader.all(found, { ids })
    return new Map(columns.map((vm) => [vm.id, ownDisksOf(vm)]))
  }

  async list(page: PageRequest, query: VmQuery, selected: Selected = null): Promise<Page<VmView>> {
    const read = await this.#rows.list(page, query, selected)
    return { ...read, nodes: read.nodes.map((row) => viewOf(row)) }
  }

  count(query: VmQuery): Promise<number> {
    return this.#rows.count(query)
  }
}

/** For a single row, the lookup of its tenant cannot be shared. */
const singleRow = { ofOneTenant: false }

function viewOf<Some extends VmListRow | null>(row: Some): VmView | Extract<Some, null>
function viewOf(row: VmListRow | null): VmView | null {
  // A row without NICs already is a view without NICs.
  if (!row || !('nics' in row)) return row
  // The row is changed in place: only this reader has it, and a copy would cost as much as the
  // read.
  return Object.assign<VmListRow, Pick<VmView, 'nics'>>(row, {
    nics: nicsFrom(row.nics, { observed: row.observedNics, isLive: row.areNicsLive }),
  })
}
