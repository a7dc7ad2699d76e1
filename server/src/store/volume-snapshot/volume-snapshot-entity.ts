import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type SnapshotExplanation } from '../../domain/volume-snapshot/explain.ts'
import { volumeSnapshotStates } from '../../domain/volume-snapshot/state.ts'
import { bookkept, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

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
    /** Null where no schedule has made it. */
    scheduleId: p.uuid().nullable(),
    dueAt: timestamp().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    state: p.enum(volumeSnapshotStates).default('creating'),
    stateSince: timestamp().defaultRaw('now()'),
    explanation: messages<SnapshotExplanation>().nullable(),
    /** When it was ready for the first time. */
    takenAt: timestamp().nullable(),
    clusterUid: p.text().nullable(),
    failedAt: timestamp().nullable(),
    /** The reconciler has nothing left to do; reset by the database when something is desired. */
    settled: p.boolean().default(false),
    seenVersion: p.text().nullable(),
    seenAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...bookkept,
  },
})

export class VolumeSnapshot extends VolumeSnapshotSchema.class {}
VolumeSnapshotSchema.setClass(VolumeSnapshot)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    volume_snapshot: InferKyselyTable<typeof VolumeSnapshotSchema>
  }
}
