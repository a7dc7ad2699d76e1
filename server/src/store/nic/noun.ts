import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { NicSchema } from './nic-entity.ts'
import { NicReads } from './nic-reads.ts'
import { NicStore } from './nic.ts'

export const nicNoun = {
  entities: [NicSchema],
  reads: { nics: NicReads },
  stores: {
    nics: (_unit: unknown, reader: Reader) => new NicStore(reader),
  },
  keys: {},
} satisfies NounParts
