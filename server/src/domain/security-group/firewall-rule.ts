/**
 * A rule that allows traffic in one direction, merged from all security groups of a VM. Traffic
 * that no rule allows is denied.
 */
export interface FirewallRule {
  peer:
    | { kind: 'range'; cidr: string; except: readonly string[] }
    | { kind: 'vms'; rowIds: readonly string[] }
    | { kind: 'addresses'; addresses: readonly string[] }
    /** The VMs of the tenant. */
    | { kind: 'sameNamespace' }
    | { kind: 'namespace'; name: string }
  /** An empty list means all protocols and ports. */
  ports: readonly { protocol: 'TCP' | 'UDP'; from: number; to: number }[]
}

export interface Firewall {
  ingress: FirewallRule[]
  egress: FirewallRule[]
}

/** Returns the rules without duplicates, in one order. */
export const sortedRules = (rules: readonly FirewallRule[]): FirewallRule[] =>
  [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).entries()]
    .sort(byText)
    .map(([, rule]) => rule)

const byText = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1
