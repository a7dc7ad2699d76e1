import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type CoveredDisk, type VmDisk } from '../../domain/vm-snapshot/coverage.ts'
import { type VmSnapshotExplanation } from '../../domain/vm-snapshot/explain.ts'
import { consistencies } from '../../domain/vm-snapshot/state.ts'
import { type SnapshotNic } from '../../domain/vm-snapshot/snapshot-nics.ts'
import { vmSnapshotOrigins } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { volumeSnapshotStates } from '../../domain/volume-snapshot/state.ts'
import { versionColumns, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

export const VmSnapshotSchema = defineEntity({
  name: 'VmSnapshot',
  tableName: 'vm_snapshot',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    vmId: p.uuid(),
    vmName: p.text(),
    name: p.text(),
    origin: p.enum(vmSnapshotOrigins),
    vmDisks: p.json().$type<readonly VmDisk[]>(),
    /** The NICs of the VM; null when they were not recorded. */
    nics: p.json().$type<readonly SnapshotNic[]>().nullable(),
    cpu: p.integer(),
    memoryMi: p.integer(),
    dedicatedCpu: p.boolean(),
    serviceOfferingId: p.uuid().nullable(),
    /** The schedule that created it; null for all other snapshots. */
    scheduleId: p.uuid().nullable(),
    dueAt: timestamp().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    state: p.enum(volumeSnapshotStates).default('creating'),
    stateSince: timestamp().defaultRaw('now()'),
    explanation: messages<VmSnapshotExplanation>().nullable(),
    disks: p.json().$type<readonly CoveredDisk[]>().nullable(),
    consistency: p.enum(consistencies).nullable(),
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

export class VmSnapshot extends VmSnapshotSchema.class {}
VmSnapshotSchema.setClass(VmSnapshot)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm_snapshot: InferKyselyTable<typeof VmSnapshotSchema>
  }
}
