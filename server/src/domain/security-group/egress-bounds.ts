import { exceptionsIn, isWholeFamily, rangeHolds } from '../network/special-ranges.ts'
import { type Firewall, type FirewallRule, sortedRules } from './firewall-rule.ts'

/**
 * The part of the cluster network that no rule of a security group opens: what belongs to the
 * platform and to other tenants.
 */
export interface EgressBounds {
  /** The closed ranges, canonical and in order. No range is inside another one. */
  closed: readonly string[]
  /** The networks of the cluster's pods, as far as the operator has configured them. */
  pods: readonly string[]
  dns: ClusterDns
}

/** The DNS of the cluster, which the guests of the cluster network ask. */
export interface ClusterDns {
  /** The namespace of its pods. */
  namespace: string
  /** Addresses on which it answers besides those of its pods. */
  addresses: readonly string[]
}

/**
 * Takes the closed ranges out of the egress rules. VMs of the tenant stay reachable where a rule
 * covers all pods, because their addresses are among the closed ones. The same holds for the DNS of
 * the cluster where a rule covers its port.
 */
export const withinBounds = ({ ingress, egress }: Firewall, bounds: EgressBounds): Firewall => ({
  ingress,
  egress: sortedRules(egress.flatMap((rule) => boundedRules(rule, bounds))),
})

/** True when nothing is left of the range: it is closed, and it covers neither all pods nor DNS. */
export const isClosed = (cidr: string, bounds: EgressBounds): boolean =>
  boundedRules({ peer: { kind: 'range', cidr, except: [] }, ports: [] }, bounds).length === 0

function boundedRules(rule: FirewallRule, bounds: EgressBounds): FirewallRule[] {
  const { peer, ports } = rule
  if (peer.kind !== 'range') return [rule]
  const { cidr } = peer
  const isOpen = !bounds.closed.some((range) => rangeHolds(range, cidr))
  const range = { kind: 'range' as const, cidr, except: exceptionsIn(cidr, bounds.closed) }
  return [
    ...(isOpen ? [{ peer: range, ports }] : []),
    ...(covers(cidr, bounds.pods) ? [{ peer: { kind: 'sameNamespace' as const }, ports }] : []),
    ...dnsRules(rule, cidr, bounds),
  ]
}

const covers = (cidr: string, networks: readonly string[]): boolean =>
  isWholeFamily(cidr) || networks.some((network) => rangeHolds(cidr, network))

const dnsPort = 53
/** The pods of OpenShift's DNS listen here, and policies see the port after the service. */
const dnsPodPort = 5353

function dnsRules(
  { ports }: FirewallRule,
  cidr: string,
  { pods, dns }: EgressBounds,
): FirewallRule[] {
  const protocols = (['TCP', 'UDP'] as const).filter(
    (protocol) =>
      ports.length === 0 || ports.some((each) => each.protocol === protocol && hasDns(each)),
  )
  if (protocols.length === 0) return []
  const portsAt = (port: number) =>
    protocols.map((protocol) => ({ protocol, from: port, to: port }))
  const addresses = dns.addresses.filter((address) => covers(cidr, [`${address}/32`]))
  return [
    ...(covers(cidr, pods)
      ? [
          {
            peer: { kind: 'namespace' as const, name: dns.namespace },
            ports: [...portsAt(dnsPort), ...portsAt(dnsPodPort)],
          },
        ]
      : []),
    ...(addresses.length > 0
      ? [{ peer: { kind: 'addresses' as const, addresses }, ports: portsAt(dnsPort) }]
      : []),
  ]
}

const hasDns = ({ from, to }: FirewallRule['ports'][number]): boolean =>
  from <= dnsPort && dnsPort <= to
