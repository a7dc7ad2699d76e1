import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type VolumeExplanation } from '../../domain/volume/explain.ts'
import { volumeStates } from '../../domain/volume/state.ts'
import { bookkept, float, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

export const VolumeSchema = defineEntity({
  name: 'Volume',
  tableName: 'volume',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    sizeGi: p.integer(),
    storageClass: p.text(),
    /** The snapshot that the volume is created from, and its size. */
    snapshotId: p.uuid().nullable(),
    snapshotGi: p.integer().nullable(),
    /**
     * The VM snapshot that the volume is cloned from, the object with its content, and its size.
     */
    copiedFrom: p.uuid().nullable(),
    copyObject: p.text().nullable(),
    copiedGi: p.integer().nullable(),
    /** The VM that the volume should be attached to. */
    vmId: p.uuid().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    state: p.enum(volumeStates).default('creating'),
    stateSince: timestamp().defaultRaw('now()'),
    explanation: messages<VolumeExplanation>().nullable(),
    /** The VM that has not released the volume. */
    heldBy: p.uuid().nullable(),
    bound: p.boolean().default(false),
    grownGi: p.integer().nullable(),
    bytesPerGi: float().nullable(),
    clusterUid: p.text().nullable(),
    failedAt: timestamp().nullable(),
    /**
     * The reconciler has nothing left to do. A trigger resets it when the desired state changes.
     */
    settled: p.boolean().default(false),
    seenVersion: p.text().nullable(),
    seenAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...bookkept,
  },
})

export class Volume extends VolumeSchema.class {}
VolumeSchema.setClass(Volume)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    volume: InferKyselyTable<typeof VolumeSchema>
  }
}
