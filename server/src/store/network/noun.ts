import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { Network } from './network-entity.ts'
import { networkKeys } from './network-keys.ts'
import { NetworkReads } from './network-reads.ts'
import { NetworkStore } from './network.ts'

/** The part of the store for networks: tables, queries and work keys for the reconciler. */
export const networkNoun = {
  entities: [Network],
  reads: { networks: NetworkReads },
  stores: { networks: NetworkStore },
  workKeys: { network: networkKeys },
  constraints: {
    network_name_key: messageOf('network.name_taken_meanwhile'),
    network_cidr_overlap: messageOf('network.overlap_meanwhile'),
  },
} satisfies NounParts
