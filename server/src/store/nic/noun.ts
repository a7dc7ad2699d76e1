import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { NicSchema } from './nic-entity.ts'
import { NicReads } from './nic-reads.ts'
import { NicStore } from './nic.ts'

/** The part of the store for the NICs of VMs: tables and queries. */
export const nicNoun = {
  entities: [NicSchema],
  reads: { nics: NicReads },
  stores: { nics: NicStore },
  workKeys: {},
  constraints: {
    nic_mac_key: messageOf('nic.mac_meanwhile'),
    nic_address_key: messageOf('nic.address_meanwhile'),
    nic_network_key: messageOf('nic.network_twice'),
  },
} satisfies NounParts
