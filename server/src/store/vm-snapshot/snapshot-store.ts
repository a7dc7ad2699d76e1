import { raw } from '@mikro-orm/postgresql'
import { type SnapshotExplanation } from '../../domain/volume-snapshot/explain.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'

/** The columns that VM snapshots and volume snapshots share. */
export interface SnapshotColumns {
  id: string
  tenantId: string
  version: number
  deleteRequestedAt?: string | null
  state: string
  stateSince?: string | null
  explanation?: object | null
  takenAt?: string | null
  clusterUid?: string | null
  failedAt?: string | null
  settled?: boolean
  observedAt?: string | null
  goneAt?: string | null
}

/** A schedule and the time at which it was due. */
export interface DueSchedule {
  id: string
  dueAt: string
}

export const scheduleColumns = (
  schedule: DueSchedule | null,
): { scheduleId: string | null; dueAt: string | null } => ({
  scheduleId: schedule?.id ?? null,
  dueAt: schedule?.dueAt ?? null,
})

/** Writes the desired and the observed state of a snapshot into its row. */
export abstract class SnapshotStore<Row extends SnapshotColumns> extends UnitStore {
  /** Returns the row, locked, even when the snapshot is gone; null when it never existed. */
  abstract row(id: string): Promise<Row | null>

  requestDelete(snapshot: Row): void {
    snapshot.deleteRequestedAt = raw('now()')
  }

  /**
   * Records that the cluster has the object. Only the reconciler calls this and the following
   * methods.
   */
  recordCreated(snapshot: Row, clusterUid: string): void {
    snapshot.clusterUid = clusterUid
  }

  recordTaken(snapshot: Row): void {
    snapshot.takenAt = raw('now()')
  }

  observe(snapshot: Row, observed: Partial<Row>): void {
    if (snapshot.state !== observed.state) snapshot.stateSince = raw('now()')
    Object.assign(snapshot, observed)
    snapshot.observedAt = raw('now()')
  }

  /** Records why the snapshot cannot be reconciled. Its last observed state stays. */
  explain(snapshot: Row, explanation: SnapshotExplanation): void {
    Object.assign(snapshot, { explanation })
  }

  /** Marks the snapshot as failed. The reconciler then removes what exists of it. */
  giveUp(snapshot: Row): void {
    snapshot.failedAt = raw('now()')
  }

  /**
   * Marks the snapshot as gone, when the cluster has nothing of it any more. The row stays as a
   * record.
   */
  erase(snapshot: Row): void {
    snapshot.goneAt = raw('now()')
  }
}
