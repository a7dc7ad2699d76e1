import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type HostCapacity, capacityGaps } from '../../domain/cluster-capacity/cluster-capacity.ts'
import { timestamp } from '../../engine/database/sql/entity-columns.ts'

export const ClusterCapacitySchema = defineEntity({
  name: 'ClusterCapacity',
  tableName: 'cluster_capacity',
  properties: {
    /** The table has one row. */
    id: p.boolean().primary(),
    hosts: p.json().$type<HostCapacity>().nullable(),
    gap: p.enum(capacityGaps).nullable(),
    /** Time since which the cluster has not answered; null while it answers. */
    silentSince: timestamp().nullable(),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    cluster_capacity: InferKyselyTable<typeof ClusterCapacitySchema>
  }
}
