import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type HostCapacity, capacityGaps } from '../../domain/cluster-capacity/cluster-capacity.ts'
import { timestamp } from '../../engine/database/sql/entity-columns.ts'

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

declare module '../../engine/model/registry.ts' {
  interface Tables {
    cluster_capacity: InferKyselyTable<typeof ClusterCapacitySchema>
  }
}
