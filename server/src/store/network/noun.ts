import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { Network } from './network-entity.ts'
import { networkKeys } from './network-keys.ts'
import { NetworkReads } from './network-reads.ts'
import { NetworkStore } from './network.ts'

export const networkNoun = {
  entities: [Network],
  reads: { networks: NetworkReads },
  stores: {
    networks: (unit: UnitTools, reader: Reader) => new NetworkStore(unit, reader),
  },
  keys: { network: networkKeys },
} satisfies NounParts
