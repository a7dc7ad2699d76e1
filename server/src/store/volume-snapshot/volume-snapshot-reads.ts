import { sql } from 'kysely'
import { type VolumeSnapshotState } from '../../domain/volume-snapshot/state.ts'
import { type VolumeSnapshotView } from '../../domain/volume-snapshot/volume-snapshot.ts'
import {
  byCreation,
  byNameOrAge,
  type NamedQuery,
  listReads,
  byId,
  byStates,
  isNewestOf,
} from '../../engine/database/sql/list-reads.ts'
import { VolumeSnapshotSchema } from './volume-snapshot-entity.ts'
import { ownNamespace, namespaceOf } from '../tenant/namespace-of.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { shownColumns } from '../../engine/database/sql/shown-columns.ts'
import { countSnapshotsOf } from '../vm-snapshot/snapshots-of.ts'

export interface VolumeSnapshotQuery extends NamedQuery {
  states?: readonly VolumeSnapshotState[] | null
  volumeId?: string | null
}

const shown = shownColumns<VolumeSnapshotView>()(VolumeSnapshotSchema, 'volume_snapshot', {
  usual: ['id', 'name', 'state', 'version', 'tenantId', 'volumeId', 'createdAt'],
  rarer: {
    namespace: [namespaceOf('volume_snapshot')],
    detail: [sql<boolean>`delete_requested_at is not null`.as('deleting')],
  },
  own: { namespace: [ownNamespace] },
  internal: [
    'snapshotClass',
    'dueAt',
    'deleteRequestedAt',
    'takenAt',
    'failedAt',
    'settled',
    'observedVersion',
    'observedAt',
    'goneAt',
  ],
})

/** Columns of the view, which an insert returns as well. */
export const volumeSnapshotViewColumns = shown.all

export class VolumeSnapshotReads extends listReads<
  'volume_snapshot',
  VolumeSnapshotView,
  VolumeSnapshotQuery
>({
  stem: 'volumeSnapshot',
  tenantColumn: 'tenant_id',
  groupsFor: shown.groupsFor,
  rows: (db, groups, where) =>
    db.selectFrom('volume_snapshot').select(shown.columns(groups, where)),
  counted: (db) => db.selectFrom('volume_snapshot').select(countAll),
  found: contains('name', 'volume_name'),
  narrowedBy: { ...byCreation, states: byStates(), volumeId: byId('volume_id', 'volumeId') },
  keepsGone: true,
  sortedBy: byNameOrAge,
}) {
  /** Returns the newest snapshots of each of these volumes, newest first. */
  newestOf(volumeIds: readonly string[], first: number): Promise<VolumeSnapshotView[]> {
    return this.allWhere('newestOf', { owners: volumeIds, first }, (snapshots) =>
      snapshots.where(isNewestOfVolume).orderBy('created_at', 'desc').orderBy('id', 'desc'),
    )
  }

  /** Counts the snapshots of each volume. */
  countsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return countSnapshotsOf(this.reader, 'volume', ids)
  }
}

const isNewestOfVolume = isNewestOf({
  table: 'volume_snapshot',
  owner: 'volume_id',
  time: 'created_at',
  where: sql`each.gone_at is null`,
})
