import { type NetworkDriver, traitsOf } from '../network/driver.ts'
import { type RuleDirection, type SecurityGroupRule } from './security-group.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** What a VM's groups let through together, for one direction; what is not named is kept out. */
export interface GuardRule {
  peer:
    | { kind: 'range'; cidr: string; except: readonly string[] }
    | { kind: 'vms'; rowIds: readonly string[] }
    | { kind: 'addresses'; addresses: readonly string[] }
  /** None is every protocol and port. */
  ports: readonly { protocol: 'TCP' | 'UDP'; from: number; to: number }[]
}

export interface Guard {
  ingress: GuardRule[]
  egress: GuardRule[]
}

/**
 * The union of the rules, for a filter that knows TCP and UDP ports and whole peers, as that of the
 * pod network. The same rules in another order are the same guard. A rule for ICMP lets nothing
 * through there: such a filter could only let everything through instead.
 */
export function guardOf(
  rules: readonly SecurityGroupRule[],
  membersOf: (groupId: string) => readonly string[],
): Guard {
  const towards = (direction: RuleDirection): GuardRule[] => {
    const kept = rules
      .filter((rule) => rule.direction === direction && rule.protocol !== 'icmp')
      .flatMap((rule) => guardRuleOf(rule, membersOf))
    return [...new Map(kept.map((rule) => [JSON.stringify(rule), rule])).entries()]
      .sort(byText)
      .map(([, rule]) => rule)
  }
  return { ingress: towards('ingress'), egress: towards('egress') }
}

/**
 * The same for a filter that knows nobody by labels: in networks that give no addresses themselves
 * the cluster cannot know which are a VM's, and we do. VMs without an address there are nobody.
 */
export function guardByAddress(
  { ingress, egress }: Guard,
  addressesOf: (vmId: string) => readonly string[],
): Guard {
  const translated = (rules: readonly GuardRule[]): GuardRule[] =>
    rules.flatMap((rule) => {
      if (rule.peer.kind !== 'vms') return [rule]
      const addresses = rule.peer.rowIds.flatMap(addressesOf)
      return addresses.length === 0
        ? []
        : [{ ...rule, peer: { kind: 'addresses' as const, addresses } }]
    })
  return { ingress: translated(ingress), egress: translated(egress) }
}

const byText = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

function guardRuleOf(
  rule: SecurityGroupRule,
  membersOf: (groupId: string) => readonly string[],
): GuardRule[] {
  const ports = portsOf(rule)
  if (rule.cidr !== null) return [{ peer: { kind: 'range', cidr: rule.cidr, except: [] }, ports }]
  const rowIds = membersOf(rule.peerGroupId ?? '').toSorted()
  // A group without VMs is nobody, where no names at all would be everybody.
  return rowIds.length === 0 ? [] : [{ peer: { kind: 'vms', rowIds }, ports }]
}

const lastPort = 65_535

function portsOf({ protocol, portFrom, portTo }: SecurityGroupRule): GuardRule['ports'] {
  if (protocol !== 'tcp' && protocol !== 'udp') return []
  return [
    { protocol: protocol === 'tcp' ? 'TCP' : 'UDP', from: portFrom ?? 1, to: portTo ?? lastPort },
  ]
}

/** Whether a rule holds on a NIC, and if not, why. */
export interface Enforcement {
  enforced: boolean
  reason: Message | null
}

/** Of one rule among all of the VM's, on its NIC in the pod network. */
export function podEnforcementOf(
  rule: SecurityGroupRule,
  all: readonly SecurityGroupRule[],
): Enforcement {
  const holds =
    rule.protocol !== 'icmp' ||
    all.some((other) => other.protocol === 'all' && isAlike(rule, other))
  return holds ? { enforced: true, reason: null } : noIcmp
}

/** What is known of a NIC that is not in the pod network. */
export interface NicNetwork {
  kind: 'private' | 'public'
  /** How its network is made; null where that is not decided yet. */
  driver: NetworkDriver | null
}

/**
 * Of one rule on such a NIC. A bridge passes the frames of VMs by any filter in their pods, so only
 * a switch that filters itself is believed.
 */
export function otherEnforcementOf(
  nic: NicNetwork,
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

const noIcmp: Enforcement = {
  enforced: false,
  reason: messageOf('security_group.no_icmp'),
}
