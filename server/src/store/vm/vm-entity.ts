import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type Explanation } from '../../domain/vm/explain.ts'
import { migrationObstacles } from '../../domain/nic/wait-reasons.ts'
import { type ObservedAddress } from '../../domain/vm/observed.ts'
import { type VmDifference } from '../../domain/vm-drift/drift.ts'
import { vmStates } from '../../domain/vm/state.ts'
import { vmiCommands } from '../../domain/vm/power-verbs.ts'
import { type VmSize, powers, rootDisks } from '../../domain/vm/vm.ts'
import { imagePullPolicies } from '../../domain/vm-template/image.ts'
import { guestSystems, templateSources } from '../../domain/vm-template/vm-template.ts'
import { type Message } from '../../engine/model/message.ts'
import { versionColumns, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

export const VmSchema = defineEntity({
  name: 'Vm',
  tableName: 'vm',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    displayName: p.text(),
    templateId: p.uuid().nullable(),
    templateName: p.text(),
    image: p.text(),
    /** When nodes pull its container disks; null leaves it to the cluster. */
    imagePullPolicy: p.enum(imagePullPolicies).nullable(),
    sourceType: p.enum(templateSources).default('container'),
    /** The claim with the installation ISO; null without one. */
    isoClaim: p.text().nullable(),
    isoSizeGi: p.integer().nullable(),
    /** The ISO should be in the VM's CD-ROM drive. */
    isoInserted: p.boolean().default(false),
    osType: p.enum(guestSystems),
    secureBoot: p.boolean().default(false),
    serviceOfferingId: p.uuid().nullable(),
    cpu: p.integer(),
    memoryMi: p.integer(),
    dedicatedCpu: p.boolean().default(false),
    rootDisk: p.enum(rootDisks),
    bootDiskSizeGi: p.integer(),
    storageClass: p.text().nullable(),
    /** The hostname of the guest; null when it is the VM's name. */
    hostname: p.text().nullable(),
    /**
     * The snapshot that the VM is cloned from, and the object with the content of its root disk.
     */
    copiedFrom: p.uuid().nullable(),
    copyObject: p.text().nullable(),
    /**
     * The VM object that the VM was adopted from, the claim of its root disk and the UUID of its
     * firmware; null for what Berth has made itself.
     */
    adoptedUid: p.text().nullable(),
    rootClaim: p.text().nullable(),
    firmwareUuid: p.text().nullable(),
    /** Encrypted, because it may hold passwords. */
    userData: p.blob().columnType('bytea'),
    tags: p.array().columnType('text[]').default([]),
    deleteProtection: p.boolean().default(false),
    wantedPower: p.enum(powers).default('on'),
    vmiCommand: p.enum(vmiCommands).nullable(),
    vmiCommandUid: p.text().nullable(),
    forced: p.boolean().default(false),
    generation: p.integer().default(1),
    /**
     * The requested restore, its snapshot, and the snapshot in which the present state is saved
     * before.
     */
    restoreId: p.uuid().nullable(),
    restoreSnapshotId: p.uuid().nullable(),
    restoreSafetyId: p.uuid().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    /** Until this time NICs are attached and detached while the VM runs. */
    nicsLiveUntil: timestamp().nullable(),
    state: p.enum(vmStates).default('Pending'),
    stateSince: timestamp().defaultRaw('now()'),
    explanation: messages<Explanation>().nullable(),
    diskProgress: p.integer().nullable(),
    ip: p.text().nullable(),
    observedNics: p.json().$type<ObservedAddress[]>().columnType('json').nullable(),
    guestOs: p.text().nullable(),
    stays: p.enum(migrationObstacles).nullable(),
    vmiUid: p.text().nullable(),
    /** The node. The API shows it only to users who may read all tenants. */
    host: p.text().nullable(),
    restartRequired: p.boolean().default(false),
    clusterUid: p.text().nullable(),
    diskUid: p.text().nullable(),
    isoUid: p.text().nullable(),
    /** True when its TPM keeps its state across restarts; null until that is decided. */
    keepsGuestState: p.boolean().nullable(),
    secretUid: p.text().nullable(),
    appliedGeneration: p.integer().default(0),
    /** The size before the restore. It is put back when the restore fails. */
    restoreFormer: p.json().$type<VmSize>().nullable(),
    /** The restore that began in the cluster. `restoredId` is the last one that ended. */
    restoreBegunId: p.uuid().nullable(),
    restoredId: p.uuid().nullable(),
    failedAt: timestamp().nullable(),
    /** Why its deploy failed. It is set together with `failedAt`. */
    failure: messages<Message>().nullable(),
    /**
     * The reconciler has nothing left to do. A trigger resets it when the desired state changes.
     */
    settled: p.boolean().default(false),
    observedVersion: p.text().nullable(),
    /** The differences in the cluster; null when there are none. */
    drift: p.json().$type<VmDifference[]>().nullable(),
    /** The generation of the VM object that was last compared; null before. */
    comparedGeneration: p.integer().nullable(),
    observedAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class Vm extends VmSchema.class {}
VmSchema.setClass(Vm)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm: InferKyselyTable<typeof VmSchema>
  }
}
