import { type NetworkDriver, traitsOf } from '../network/driver.ts'
import { type EgressBounds, isClosed } from './egress-bounds.ts'
import { type Firewall, type FirewallRule, sortedRules } from './firewall-rule.ts'
import { type RuleDirection, type SecurityGroupRule } from './security-group.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * Merges the rules for a filter that knows TCP and UDP ports and whole peers, such as the pod
 * network's. Rules in another order give the same firewall. An ICMP rule allows nothing, because
 * such a filter could only allow all traffic instead.
 */
export function firewallOf(
  rules: readonly SecurityGroupRule[],
  membersOf: (groupId: string) => readonly string[],
): Firewall {
  const towards = (direction: RuleDirection): FirewallRule[] =>
    sortedRules(
      rules
        .filter((rule) => rule.direction === direction && rule.protocol !== 'icmp')
        .flatMap((rule) => firewallRuleOf(rule, membersOf)),
    )
  return { ingress: towards('ingress'), egress: towards('egress') }
}

/**
 * Replaces peer VMs by their addresses, for networks without IPAM, in which the cluster cannot
 * match VMs by labels. Peers without an address in the network are dropped.
 */
export function firewallByAddress(
  { ingress, egress }: Firewall,
  addressesOf: (vmId: string) => readonly string[],
): Firewall {
  const translated = (rules: readonly FirewallRule[]): FirewallRule[] =>
    rules.flatMap((rule) => {
      if (rule.peer.kind !== 'vms') return [rule]
      const addresses = rule.peer.rowIds.flatMap(addressesOf)
      return addresses.length === 0
        ? []
        : [{ ...rule, peer: { kind: 'addresses' as const, addresses } }]
    })
  return { ingress: translated(ingress), egress: translated(egress) }
}

function firewallRuleOf(
  rule: SecurityGroupRule,
  membersOf: (groupId: string) => readonly string[],
): FirewallRule[] {
  const ports = portsOf(rule)
  if (rule.cidr !== null) return [{ peer: { kind: 'range', cidr: rule.cidr, except: [] }, ports }]
  const rowIds = membersOf(rule.peerGroupId ?? '').toSorted()
  // A group without VMs allows nothing; an empty peer list would allow all peers.
  return rowIds.length === 0 ? [] : [{ peer: { kind: 'vms', rowIds }, ports }]
}

const lastPort = 65_535

function portsOf({ protocol, portFrom, portTo }: SecurityGroupRule): FirewallRule['ports'] {
  if (protocol !== 'tcp' && protocol !== 'udp') return []
  return [
    { protocol: protocol === 'tcp' ? 'TCP' : 'UDP', from: portFrom ?? 1, to: portTo ?? lastPort },
  ]
}

/** Tells if a rule is enforced on a NIC, and if not, the reason. */
export interface Enforcement {
  enforced: boolean
  reason: Message | null
}

/**
 * Returns the enforcement of one of the VM's rules on its NIC in the pod network. The bounds are
 * null while the cluster has not been read.
 */
export function podEnforcementOf(
  rule: SecurityGroupRule,
  { all, bounds }: { all: readonly SecurityGroupRule[]; bounds: EgressBounds | null },
): Enforcement {
  if (rule.direction === 'egress' && rule.cidr !== null && bounds && isClosed(rule.cidr, bounds))
    return closedRange
  const holds =
    rule.protocol !== 'icmp' ||
    all.some((other) => other.protocol === 'all' && isAlike(rule, other))
  return holds ? { enforced: true, reason: null } : noIcmp
}

/** The network of a NIC that is not in the pod network. */
export interface SecondaryNetwork {
  kind: 'private' | 'public'
  /** The driver of the network; null until it is chosen. */
  driver: NetworkDriver | null
}

/**
 * Returns the enforcement of a rule on a NIC outside the pod network. A bridge bypasses filters in
 * the pod, so only drivers whose switch filters count.
 */
export function secondaryEnforcementOf(
  nic: SecondaryNetwork,
  { hasFilters, of }: { hasFilters: boolean; of: Enforcement },
): Enforcement {
  if (!hasFilters) return unfiltered[nic.kind]
  return nic.driver !== null && traitsOf(nic.driver).filters ? of : unsure
}

const unsure: Enforcement = {
  enforced: false,
  reason: messageOf('security_group.unsure'),
}

const unfiltered: Readonly<Record<'private' | 'public', Enforcement>> = {
  private: {
    enforced: false,
    reason: messageOf('security_group.unfiltered.private'),
  },
  public: {
    enforced: false,
    reason: messageOf('security_group.unfiltered.public'),
  },
}

const isAlike = (rule: SecurityGroupRule, other: SecurityGroupRule): boolean =>
  rule.direction === other.direction &&
  rule.cidr === other.cidr &&
  rule.peerGroupId === other.peerGroupId

const closedRange: Enforcement = {
  enforced: false,
  reason: messageOf('security_group.closed_range'),
}

const noIcmp: Enforcement = {
  enforced: false,
  reason: messageOf('security_group.no_icmp'),
}
