import { type VolumeSnapshotView } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { newId } from '../../runtime/ids.ts'
import { VolumeSnapshot } from './volume-snapshot-entity.ts'
import { type TakenName, takenName } from '../../engine/database/sql/is-named.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { type DueSchedule, SnapshotStore, scheduleColumns } from '../vm-snapshot/snapshot-store.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { volumeSnapshotViewColumns } from './volume-snapshot-reads.ts'

type NewColumns = 'tenantId' | 'name' | 'volumeId' | 'volumeName' | 'sizeGi' | 'storageClass'

export interface NewVolumeSnapshotRow extends Pick<VolumeSnapshotView, NewColumns> {
  snapshotClass: string
  schedule: DueSchedule | null
}

/** Writes volume snapshots in the transaction of a unit of work. */
export class VolumeSnapshotStore extends SnapshotStore<VolumeSnapshot> {
  insert({ schedule, ...values }: NewVolumeSnapshotRow): Promise<VolumeSnapshotView> {
    const row = { id: newId(), ...values, ...scheduleColumns(schedule) }
    return insertSnapshot(this.reader, row)
  }

  /** Returns the tenant's snapshot, locked until the unit ends. */
  get(id: string): Promise<VolumeSnapshot> {
    return this.lockById(VolumeSnapshot, { id, goneAt: null }, 'snapshot')
  }

  row(id: string): Promise<VolumeSnapshot | null> {
    return this.lockRow(VolumeSnapshot, { id })
  }

  takenName(tenantId: string, name: string): Promise<TakenName | null> {
    return takenName(this.reader, 'volume_snapshot', { tenantId, name })
  }

  /** Counts the snapshots of the volume that are being taken. */
  async countPendingOf(volumeId: string): Promise<number> {
    const counted = statement('volumeSnapshot.countPendingOf', (db) =>
      db
        .selectFrom('volume_snapshot')
        .select(countAll)
        .where('volume_id', '=', slot<string>('volumeId'))
        .where('gone_at', 'is', null)
        .where('taken_at', 'is', null)
        .where('failed_at', 'is', null),
    )
    return (await only(this.reader, counted, { volumeId })).total
  }
}

const insertSnapshot = insertInto('volume_snapshot', (row) =>
  row.returning(volumeSnapshotViewColumns),
)
