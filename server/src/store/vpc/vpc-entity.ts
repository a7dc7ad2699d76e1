import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { netStates } from '../../domain/vpc/vpc.ts'
import {
  addresses,
  versionColumns,
  timestamp,
  messages,
} from '../../engine/database/sql/entity-columns.ts'
import { type Message } from '../../engine/model/message.ts'

export const VpcSchema = defineEntity({
  name: 'Vpc',
  tableName: 'vpc',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    cidr: addresses.block(),
    requestedCidr: p.text().nullable(),
    namespace: p.text(),
    isDefault: p.boolean().default(false),
    deleteRequestedAt: timestamp().nullable(),
    state: p.enum(netStates).default('creating'),
    stateReason: messages<Message>().nullable(),
    clusterUid: p.text().nullable(),
    observedAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class Vpc extends VpcSchema.class {}
VpcSchema.setClass(Vpc)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vpc: InferKyselyTable<typeof VpcSchema>
  }
}
