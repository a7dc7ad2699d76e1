import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'

/** The security groups of VMs. */
export const VmSecurityGroupSchema = defineEntity({
  name: 'VmSecurityGroup',
  tableName: 'vm_security_group',
  properties: { vmId: p.uuid().primary(), groupId: p.uuid().primary(), tenantId: p.uuid() },
})

/** How far the firewall of a VM is applied in the cluster. */
export const VmFirewallSchema = defineEntity({
  name: 'VmFirewall',
  tableName: 'vm_firewall',
  properties: {
    vmId: p.uuid().primary(),
    tenantId: p.uuid(),
    generation: p.integer().default(1),
    membership: p.integer().default(1),
    appliedGeneration: p.integer().default(0),
    propagatedMembership: p.integer().default(0),
    clusterUid: p.text().nullable(),
    observedVersion: p.text().nullable(),
    /** The MultiNetworkPolicy for its additional networks; null when there is none. */
    networksUid: p.text().nullable(),
    networksVersion: p.text().nullable(),
    /** The bounds and the version of the policy; null when an earlier build wrote it. */
    builtFrom: p.text().nullable(),
    /** The generation that the cluster has refused for good. */
    refusedGeneration: p.integer().default(0),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm_firewall: InferKyselyTable<typeof VmFirewallSchema>
    vm_security_group: InferKyselyTable<typeof VmSecurityGroupSchema>
  }
}
