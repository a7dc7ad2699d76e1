import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { type VolumeExplanation } from '../../domain/volume/explain.ts'
import { type VolumeState } from '../../domain/volume/state.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { newId } from '../../runtime/ids.ts'
import { Volume } from './volume-entity.ts'
import { type TakenName, takenName } from '../../engine/database/sql/is-named.ts'
import { type NewRow, insertInto } from '../../engine/database/sql/insert-into.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { volumeViewColumns } from './volume-reads.ts'

/** The observed state of a volume. Only the reconciler writes it. */
export interface ObservedVolumeState {
  state: VolumeState
  explanation: VolumeExplanation | null
  heldBy: string | null
  bound: boolean
  settled: boolean
  observedVersion: string | null
}

/** Values that the reconciler records when the volume was created or has grown. */
export interface CreatedVolumeObjects {
  clusterUid?: string
  grownGi?: number
  bytesPerGi?: number
}

/** The values of a new volume. The reconciler's columns begin with their defaults. */
export type NewVolumeRow = Omit<
  NewRow<'volume'>,
  'id' | keyof ObservedVolumeState | keyof CreatedVolumeObjects
>

/**
 * Writes volumes in the transaction of a unit of work: use cases their desired state, the
 * reconciler their observed state.
 */
export class VolumeStore extends UnitStore {
  insert(values: NewVolumeRow): Promise<VolumeView> {
    return insertVolume(this.reader, { id: newId(), ...values })
  }

  /** Returns the volume, locked until the unit ends. */
  get(id: string): Promise<Volume> {
    return this.lockById(Volume, { id, goneAt: null }, 'volume')
  }

  /** Returns the row, locked, even when the volume is gone; null when it never existed. */
  row(id: string): Promise<Volume | null> {
    return this.lockRow(Volume, { id })
  }

  takenName(tenantId: string, name: string): Promise<TakenName | null> {
    return takenName(this.reader, 'volume', { tenantId, name })
  }

  /** Counts the volumes that are being created from the snapshot. */
  async countPendingFrom(snapshotId: string): Promise<number> {
    const counted = statement('volume.countPendingFrom', (db) =>
      db
        .selectFrom('volume')
        .select(countAll)
        .where('snapshot_id', '=', slot<string>('snapshotId'))
        .where('gone_at', 'is', null)
        .where('grown_gi', 'is', null)
        .where('failed_at', 'is', null),
    )
    return (await only(this.reader, counted, { snapshotId })).total
  }

  requestDelete(volume: Volume): void {
    volume.deleteRequestedAt = raw('now()')
  }

  /** Requests that all volumes are detached from the VM, and returns them. */
  detachAllFrom(vmId: string): Promise<Pick<VolumeView, 'id' | 'tenantId' | 'version'>[]> {
    const detaching = statement('volume.detachAllFrom', (db) =>
      db
        .updateTable('volume')
        .set({ vm_id: null })
        .where('vm_id', '=', slot<string>('vmId'))
        .where('gone_at', 'is', null)
        .returning(['id', 'tenant_id as tenantId', 'version']),
    )
    return this.reader.all(detaching, { vmId })
  }

  /** Records created objects. Only the reconciler calls this and the following methods. */
  remember(volume: Volume, made: CreatedVolumeObjects): void {
    Object.assign(volume, made)
  }

  observe(volume: Volume, observed: ObservedVolumeState): void {
    if (volume.state !== observed.state) volume.stateSince = raw('now()')
    Object.assign(volume, observed)
    volume.observedAt = raw('now()')
  }

  /** Records why the volume cannot be reconciled. Its last observed state stays. */
  explain(volume: Volume, explanation: VolumeExplanation): void {
    volume.explanation = explanation
  }

  /** Records that the volume could not be created. What exists of it stays. */
  recordFailure(volume: Volume): void {
    volume.failedAt = raw('now()')
  }

  /** Forgets the failure, because the volume was created after all. */
  forgetFailure(volume: Volume): void {
    volume.failedAt = null
  }

  /**
   * Marks the volume as gone, when the cluster has nothing of it any more. The row stays as a
   * record.
   */
  erase(volume: Volume): void {
    volume.goneAt = raw('now()')
  }
}

const insertVolume = insertInto('volume', (row) => row.returning(volumeViewColumns))
