import { type NounParts } from '../noun-parts.ts'
import { VmFirewallSchema, VmSecurityGroupSchema } from './vm-firewall-entity.ts'
import { vmFirewallKeys } from './vm-firewall-keys.ts'
import { VmFirewallReads, VmFirewallStore } from './vm-firewall.ts'

/**
 * The part of the store for the firewalls of VMs: tables, queries and work keys for the reconciler.
 */
export const vmFirewallNoun = {
  entities: [VmFirewallSchema, VmSecurityGroupSchema],
  reads: { vmFirewalls: VmFirewallReads },
  stores: { vmFirewalls: VmFirewallStore },
  workKeys: { vm_firewall: vmFirewallKeys },
} satisfies NounParts
