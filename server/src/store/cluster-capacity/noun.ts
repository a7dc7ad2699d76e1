import { type NounParts } from '../noun-parts.ts'
import { ClusterCapacitySchema } from './cluster-capacity-entity.ts'
import { ClusterCapacityReads } from './cluster-capacity.ts'

export const clusterCapacityNoun = {
  entities: [ClusterCapacitySchema],
  reads: { clusterCapacity: ClusterCapacityReads },
  stores: {},
  keys: {},
} satisfies NounParts
