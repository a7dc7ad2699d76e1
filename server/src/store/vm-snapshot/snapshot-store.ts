import { raw } from '@mikro-orm/postgresql'

/** What all snapshots keep of themselves, whatever they are of. */
export interface SnapshotColumns {
  id: string
  tenantId: string
  version: number
  deleteRequestedAt?: string | null
  state: string
  stateSince?: string | null
  takenAt?: string | null
  clusterUid?: string | null
  failedAt?: string | null
  settled?: boolean
  seenAt?: string | null
  goneAt?: string | null
}

/** A schedule and when it was due. */
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

/** How what was asked of a snapshot and what was seen of it is written into its row. */
export abstract class SnapshotStore<Row extends SnapshotColumns> {
  /** The row whatever became of it, locked; null when there never was one. */
  abstract row(id: string): Promise<Row | null>

  requestDelete(snapshot: Row): void {
    snapshot.deleteRequestedAt = raw('now()')
  }

  /** Only the reconciler calls this and what follows. */
  made(snapshot: Row, clusterUid: string): void {
    snapshot.clusterUid = clusterUid
  }

  taken(snapshot: Row): void {
    snapshot.takenAt = raw('now()')
  }

  observe(snapshot: Row, seen: Partial<Row>): void {
    if (snapshot.state !== seen.state) snapshot.stateSince = raw('now()')
    Object.assign(snapshot, seen)
    snapshot.seenAt = raw('now()')
  }

  /** It could not be taken: from now on what there is of it is taken away. */
  giveUp(snapshot: Row): void {
    snapshot.failedAt = raw('now()')
  }

  /** Nothing of it is in the cluster any more: the row stays as the record of what was. */
  erase(snapshot: Row): void {
    snapshot.goneAt = raw('now()')
  }
}
