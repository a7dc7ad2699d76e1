import { sql } from 'kysely'
import { type VmSnapshotView } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { type VolumeSnapshotState } from '../../domain/volume-snapshot/state.ts'
import {
  byCreation,
  byNameOrAge,
  type NamedQuery,
  listReads,
  byId,
  byStates,
  isNewestOf,
} from '../../engine/database/sql/list-reads.ts'
import { VmSnapshotSchema } from './vm-snapshot-entity.ts'
import { ownNamespace, namespaceOf } from '../tenant/namespace-of.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { shownColumns } from '../../engine/database/sql/shown-columns.ts'
import { countSnapshotsOf, countVmSnapshotsWith } from './snapshots-of.ts'

export interface VmSnapshotQuery extends NamedQuery {
  states?: readonly VolumeSnapshotState[] | null
  vmId?: string | null
}

const shown = shownColumns<VmSnapshotView>()(VmSnapshotSchema, 'vm_snapshot', {
  usual: ['id', 'name', 'state', 'version', 'tenantId', 'vmId', 'vmName', 'createdAt'],
  rarer: {
    namespace: [namespaceOf('vm_snapshot')],
    disks: ['disks'],
    detail: [sql<boolean>`delete_requested_at is not null`.as('deleting')],
  },
  own: { namespace: [ownNamespace] },
  internal: [
    'vmDisks',
    'nics',
    'dedicatedCpu',
    'serviceOfferingId',
    'dueAt',
    'deleteRequestedAt',
    'failedAt',
    'settled',
    'observedVersion',
    'observedAt',
    'goneAt',
  ],
})

/** Columns of the view, which an insert returns as well. */
export const vmSnapshotViewColumns = shown.all

export class VmSnapshotReads extends listReads<'vm_snapshot', VmSnapshotView, VmSnapshotQuery>({
  stem: 'vmSnapshot',
  tenantColumn: 'tenant_id',
  groupsFor: shown.groupsFor,
  rows: (db, groups, where) => db.selectFrom('vm_snapshot').select(shown.columns(groups, where)),
  counted: (db) => db.selectFrom('vm_snapshot').select(countAll),
  found: contains('name', 'vm_name'),
  narrowedBy: { ...byCreation, states: byStates(), vmId: byId('vm_id', 'vmId') },
  keepsGone: true,
  sortedBy: byNameOrAge,
}) {
  /** Returns the newest snapshots of each of these VMs, newest first. */
  newestOf(vmIds: readonly string[], first: number): Promise<VmSnapshotView[]> {
    return this.allWhere('newestOf', { owners: vmIds, first }, (snapshots) =>
      snapshots.where(isNewestOfVm).orderBy('created_at', 'desc').orderBy('id', 'desc'),
    )
  }

  /** Counts the snapshots of each VM. */
  countsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return countSnapshotsOf(this.reader, 'vm', ids)
  }

  /** Counts the VM snapshots that include each volume. */
  countsWith(volumeIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return countVmSnapshotsWith(this.reader, volumeIds)
  }
}

const isNewestOfVm = isNewestOf({
  table: 'vm_snapshot',
  owner: 'vm_id',
  time: 'created_at',
  where: sql`each.gone_at is null`,
})
