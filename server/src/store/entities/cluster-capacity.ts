import { defineEntity, p } from '@mikro-orm/core'
import { type HostCapacity, capacityGaps } from '../../domain/cluster-capacity/cluster-capacity.ts'
import { timestamp } from './columns.ts'

export const ClusterCapacitySchema = defineEntity({
  name: 'ClusterCapacity',
  tableName: 'cluster_capacity',
  properties: {
    /** There is one row. */
    id: p.boolean().primary(),
    hosts: p.json().$type<HostCapacity>().nullable(),
    gap: p.enum(capacityGaps).nullable(),
    /** Since the cluster does not answer; null while it does. */
    silentSince: timestamp().nullable(),
  },
})
