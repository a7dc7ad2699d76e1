import { type NounParts } from '../noun-parts.ts'
import { OverviewReads } from './overview-reads.ts'

export const overviewNoun = {
  entities: [],
  reads: { overview: OverviewReads },
  stores: {},
  keys: {},
} satisfies NounParts
