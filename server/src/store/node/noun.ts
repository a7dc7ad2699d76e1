import { type NounParts } from '../noun-parts.ts'
import { NodeReads } from './node-reads.ts'

/** The part of the store that finds rows of any noun by their id. */
export const nodeNoun = {
  entities: [],
  reads: { nodes: NodeReads },
  stores: {},
  workKeys: {},
} satisfies NounParts
