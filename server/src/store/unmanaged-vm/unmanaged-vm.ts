import { type Kysely, sql } from 'kysely'
import { type FoundVm, type UnmanagedVmView } from '../../domain/unmanaged-vm/unmanaged-vm.ts'
import {
  type NamedQuery,
  byCreation,
  byNameOrAge,
  listReads,
} from '../../engine/database/sql/list-reads.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { newId } from '../../runtime/ids.ts'
import { UnmanagedVm } from './unmanaged-vm-entity.ts'

/** The namespace of a tenant, and the VMs that Berth manages there. */
export interface TenantVms {
  tenantId: string
  namespace: string
  /** The rows of VMs by the name of their object, even of VMs that are being removed. */
  managed: ReadonlyMap<string, string>
  /** The objects that become VMs, which have no labels of their rows yet. */
  adopted: ReadonlySet<string | null>
  recorded: readonly UnmanagedVm[]
}

/** A VM object that no row describes. */
export interface FoundVmObject {
  name: string
  madeAs: string | null
  clusterUid: string
  observedVersion: string
  found: FoundVm
}

/** Writes the unmanaged VMs of tenants in the transaction of a unit of work. */
export class UnmanagedVmStore extends UnitStore {
  /** Returns null for a tenant without a namespace. */
  async ofTenant(tenantId: string): Promise<TenantVms | null> {
    const namespace = statement('unmanaged_vm.namespace', (db) =>
      db
        .selectFrom('tenant')
        .select('namespace')
        .where('id', '=', slot<string>('tenantId'))
        .where('gone_at', 'is', null)
        .where('cluster_uid', 'is not', null),
    )
    const tenant = await one(this.reader, namespace, { tenantId })
    if (!tenant) return null
    const managed = statement('unmanaged_vm.managed', (db) =>
      db
        .selectFrom('vm')
        .select(['id', 'name', 'adopted_uid as adoptedUid'])
        .select(sql<boolean>`gone_at is not null`.as('isGone'))
        .where('tenant_id', '=', slot<string>('tenantId')),
    )
    const rows = await this.reader.all(managed, { tenantId })
    return {
      tenantId,
      namespace: tenant.namespace,
      managed: new Map(rows.map(({ id, name }) => [id, name])),
      adopted: new Set(rows.map(({ adoptedUid, isGone }) => (isGone ? null : adoptedUid))),
      recorded: await this.unit.em.find(UnmanagedVm, { tenantId }),
    }
  }

  /** Records a VM object, a new one or one that has changed. Returns the row. */
  record(tenantId: string, before: UnmanagedVm | null, object: FoundVmObject): UnmanagedVm {
    const claims = object.found.disks.flatMap(({ kind, source }) =>
      kind === 'volume' && source !== null ? [source] : [],
    )
    const row = before ?? this.unit.em.create(UnmanagedVm, { id: newId(), tenantId, ...object })
    return Object.assign(row, object, { claims })
  }

  /** Returns the tenant's unmanaged VM with this name, locked. */
  async getByName(tenantId: string, name: string): Promise<UnmanagedVmView & { row: UnmanagedVm }> {
    const row = await this.lockRow(UnmanagedVm, { tenantId, name })
    const found = statement('unmanaged_vm.byName', (db) =>
      shownRows(db)
        .where('unmanaged_vm.tenant_id', '=', slot<string>('tenantId'))
        .where('unmanaged_vm.name', '=', slot<string>('name')),
    )
    const view = row && (await one(this.reader, found, { tenantId, name }))
    if (!view) throw new Fault('not_found', messageOf('unmanaged_vm.not_found', { name }))
    return { ...view, row }
  }

  forget(row: UnmanagedVm): void {
    this.unit.em.remove(row)
  }
}

/** Reads the unmanaged VMs of tenants as clients see them. */
export class UnmanagedVmReads extends listReads<'unmanaged_vm', UnmanagedVmView, NamedQuery>({
  stem: 'unmanaged_vm',
  tenantColumn: 'unmanaged_vm.tenant_id',
  rows: (db) => shownRows(db),
  counted: (db) => db.selectFrom('unmanaged_vm').select(countAll),
  found: contains('name'),
  narrowedBy: byCreation,
  sortedBy: byNameOrAge,
}) {}

const sharedClaims = sql<readonly string[]>`array(
  select claim from unnest(unmanaged_vm.claims) claim
   where exists (select from unmanaged_vm other
                  where other.tenant_id = unmanaged_vm.tenant_id
                    and other.id <> unmanaged_vm.id and claim = any(other.claims)))`

const shown = [
  'id',
  'tenant_id as tenantId',
  'name',
  'made_as as madeAs',
  'cluster_uid as clusterUid',
  'found',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const shownRows = (db: Kysely<Tables>) =>
  db.selectFrom('unmanaged_vm').select(shown).select(sharedClaims.as('sharedClaims'))
