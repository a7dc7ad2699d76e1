import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { networkDrivers } from '../../domain/network/driver.ts'
import { netStates } from '../../domain/vpc/vpc.ts'
import {
  addresses,
  versionColumns,
  timestamp,
  messages,
} from '../../engine/database/sql/entity-columns.ts'
import { type Message } from '../../engine/model/message.ts'

export const NetworkSchema = defineEntity({
  name: 'Network',
  tableName: 'network',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    vpcId: p.uuid(),
    vpcCidr: addresses.block(),
    name: p.text(),
    cidr: addresses.block(),
    requestedCidr: p.text().nullable(),
    gateway: addresses.one(),
    attachmentNamespace: p.text(),
    attachmentName: p.text(),
    isDefault: p.boolean().default(false),
    deleteRequestedAt: timestamp().nullable(),
    state: p.enum(netStates).default('creating'),
    stateReason: messages<Message>().nullable(),
    driver: p.enum(networkDrivers).nullable(),
    bridge: p.text().nullable(),
    segment: p.integer().nullable(),
    mtu: p.integer().nullable(),
    clusterUid: p.text().nullable(),
    observedVersion: p.text().nullable(),
    /**
     * The generation of its subnet after Berth's last write. The subnet's resource version also
     * changes with its addresses.
     */
    subnetGeneration: p.integer().nullable(),
    observedAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class Network extends NetworkSchema.class {}
NetworkSchema.setClass(Network)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    network: InferKyselyTable<typeof NetworkSchema>
  }
}
