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
    /** The snapshot that it begins as, and that one's size. */
    snapshotId: p.uuid().nullable(),
    snapshotGi: p.integer().nullable(),
    /** The snapshot of a machine that it begins as, what bears it there, and its size then. */
    copiedFrom: p.uuid().nullable(),
    copyObject: p.text().nullable(),
    copiedGi: p.integer().nullable(),
    /** The machine that it is to be in. */
    vmId: p.uuid().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    state: p.enum(volumeStates).default('creating'),
    stateSince: timestamp().defaultRaw('now()'),
    explanation: messages<VolumeExplanation>().nullable(),
    /** The machine that has not let go of it. */
    heldBy: p.uuid().nullable(),
    bound: p.boolean().default(false),
    grownGi: p.integer().nullable(),
    bytesPerGi: float().nullable(),
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

export class Volume extends VolumeSchema.class {}
VolumeSchema.setClass(Volume)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    volume: InferKyselyTable<typeof VolumeSchema>
  }
}
