import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'

/** Which machine has which security group. */
export const VmSecurityGroupSchema = defineEntity({
  name: 'VmSecurityGroup',
  tableName: 'vm_security_group',
  properties: { vmId: p.uuid().primary(), groupId: p.uuid().primary(), tenantId: p.uuid() },
})

/** How far the cluster has been told what a machine's groups let through. */
export const VmGuardSchema = defineEntity({
  name: 'VmGuard',
  tableName: 'vm_guard',
  properties: {
    vmId: p.uuid().primary(),
    tenantId: p.uuid(),
    generation: p.integer().default(1),
    membership: p.integer().default(1),
    appliedGeneration: p.integer().default(0),
    toldMembership: p.integer().default(0),
    clusterUid: p.text().nullable(),
    seenVersion: p.text().nullable(),
    /** Of the filter in its other networks; null where there is none. */
    networksUid: p.text().nullable(),
    networksVersion: p.text().nullable(),
    /** The cluster will never take it as it is. */
    refusedGeneration: p.integer().default(0),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm_guard: InferKyselyTable<typeof VmGuardSchema>
    vm_security_group: InferKyselyTable<typeof VmSecurityGroupSchema>
  }
}
