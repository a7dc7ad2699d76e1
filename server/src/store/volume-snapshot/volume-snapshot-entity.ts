import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type SnapshotExplanation } from '../../domain/volume-snapshot/explain.ts'
import { volumeSnapshotStates } from '../../domain/volume-snapshot/state.ts'
import { versionColumns, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

export const VolumeSnapshotSchema = defineEntity({
  name: 'VolumeSnapshot',
  tableName: 'volume_snapshot',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    volumeId: p.uuid(),
    volumeName: p.text(),
    name: p.text(),
    sizeGi: p.integer(),
    storageClass: p.text(),
    snapshotClass: p.text(),
    /** The schedule that created it; null for all other snapshots. */
    scheduleId: p.uuid().nullable(),
    dueAt: timestamp().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    state: p.enum(volumeSnapshotStates).default('creating'),
    stateSince: timestamp().defaultRaw('now()'),
    explanation: messages<SnapshotExplanation>().nullable(),
    /** Time when it was first ready. */
    takenAt: timestamp().nullable(),
    clusterUid: p.text().nullable(),
    failedAt: timestamp().nullable(),
    /**
     * The reconciler has nothing left to do. A trigger resets it when the desired state changes.
     */
    settled: p.boolean().default(false),
    observedVersion: p.text().nullable(),
    observedAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class VolumeSnapshot extends VolumeSnapshotSchema.class {}
VolumeSnapshotSchema.setClass(VolumeSnapshot)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    volume_snapshot: InferKyselyTable<typeof VolumeSnapshotSchema>
  }
}
