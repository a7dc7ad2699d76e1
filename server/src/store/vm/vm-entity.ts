import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type Explanation } from '../../domain/vm/explain.ts'
import { stayReasons } from '../../domain/nic/cold.ts'
import { type SeenAddress } from '../../domain/vm/seen.ts'
import { vmStates } from '../../domain/vm/state.ts'
import { runWishes } from '../../domain/vm/power-verbs.ts'
import { type VmSize, powers, rootDisks } from '../../domain/vm/vm.ts'
import { guestSystems, templateSources } from '../../domain/vm-template/vm-template.ts'
import { bookkept, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

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
    sourceType: p.enum(templateSources).default('container'),
    /** Where the ISO lies that it is installed from; null without one. */
    isoClaim: p.text().nullable(),
    isoSizeGi: p.integer().nullable(),
    /** It is to be in the machine's tray. */
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
    /** As its guest is to call itself; null where that is its name. */
    hostname: p.text().nullable(),
    /** The snapshot that it is a copy of, and what bears its disk there. */
    copiedFrom: p.uuid().nullable(),
    copyObject: p.text().nullable(),
    /** Sealed: it may hold passwords. */
    userData: p.blob().columnType('bytea'),
    tags: p.array().columnType('text[]').default([]),
    deleteProtection: p.boolean().default(false),
    wantedPower: p.enum(powers).default('on'),
    runWish: p.enum(runWishes).nullable(),
    runWishUid: p.text().nullable(),
    forced: p.boolean().default(false),
    generation: p.integer().default(1),
    /** Which restore is wanted, of which snapshot, and in which one the present is kept before. */
    restoreId: p.uuid().nullable(),
    restoreSnapshotId: p.uuid().nullable(),
    restoreSafetyId: p.uuid().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    /** As long as its NICs are to come and go while it runs. */
    nicsLiveUntil: timestamp().nullable(),
    state: p.enum(vmStates).default('Pending'),
    stateSince: timestamp().defaultRaw('now()'),
    explanation: messages<Explanation>().nullable(),
    diskProgress: p.integer().nullable(),
    ip: p.text().nullable(),
    seenNics: p.json().$type<SeenAddress[]>().columnType('json').nullable(),
    guestOs: p.text().nullable(),
    stays: p.enum(stayReasons).nullable(),
    runUid: p.text().nullable(),
    /** Where it runs: to compare with, and for nobody to see. */
    host: p.text().nullable(),
    restartRequired: p.boolean().default(false),
    clusterUid: p.text().nullable(),
    diskUid: p.text().nullable(),
    isoUid: p.text().nullable(),
    /** Whether its TPM remembers from start to start; null until that is decided. */
    keepsGuestState: p.boolean().nullable(),
    secretUid: p.text().nullable(),
    appliedGeneration: p.integer().default(0),
    /** The restore that the cluster was told of, and the last one that is over. */
    /** Its size when that was asked for, which is put back where it comes to nothing. */
    restoreFormer: p.json().$type<VmSize>().nullable(),
    restoreBegunId: p.uuid().nullable(),
    restoredId: p.uuid().nullable(),
    failedAt: timestamp().nullable(),
    /** The reconciler has nothing left to do; reset by the database when something is desired. */
    settled: p.boolean().default(false),
    seenVersion: p.text().nullable(),
    seenAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...bookkept,
  },
})

export class Vm extends VmSchema.class {}
VmSchema.setClass(Vm)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm: InferKyselyTable<typeof VmSchema>
  }
}
