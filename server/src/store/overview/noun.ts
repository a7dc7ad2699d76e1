import { type NounParts } from '../noun-parts.ts'
import { OverviewReads } from './overview-reads.ts'

/** The part of the store for the dashboard, search and notifications: queries. */
export const overviewNoun = {
  entities: [],
  reads: { overview: OverviewReads },
  stores: {},
  workKeys: {},
} satisfies NounParts
