import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { nicWaitReasons } from '../../domain/nic/wait-reasons.ts'
import { nicKinds } from '../../domain/nic/nic.ts'
import { addresses, timestamp } from '../../engine/database/sql/entity-columns.ts'

export const NicSchema = defineEntity({
  name: 'Nic',
  tableName: 'nic',
  properties: {
    id: p.uuid().primary(),
    /** The order in which addresses were assigned. */
    seq: p.bigint('number'),
    tenantId: p.uuid(),
    vmId: p.uuid(),
    ordinal: p.integer(),
    kind: p.enum(nicKinds),
    networkId: p.uuid().nullable(),
    networkCidr: addresses.block().nullable(),
    address: addresses.one().nullable(),
    mac: p.text(),
    /** Seconds before its addresses are reused after the NIC is removed. */
    restSeconds: p.integer(),
    leaveRequestedAt: timestamp().nullable(),
    waitsFor: p.enum(nicWaitReasons).nullable(),
    freeAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    nic: InferKyselyTable<typeof NicSchema>
  }
}
