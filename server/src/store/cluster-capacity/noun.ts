import { type NounParts } from '../noun-parts.ts'
import { ClusterCapacitySchema } from './cluster-capacity-entity.ts'
import { ClusterCapacityReads } from './cluster-capacity.ts'

/** The part of the store for the capacity of the cluster: tables and queries. */
export const clusterCapacityNoun = {
  entities: [ClusterCapacitySchema],
  reads: { clusterCapacity: ClusterCapacityReads },
  stores: {},
  workKeys: {},
} satisfies NounParts
