export const ruleDirections = ['ingress', 'egress'] as const
export type RuleDirection = (typeof ruleDirections)[number]

export const ruleProtocols = ['tcp', 'udp', 'icmp', 'all'] as const
export type RuleProtocol = (typeof ruleProtocols)[number]

/** Allows traffic from or to one peer, which is a range of addresses or the VMs of a group. */
export interface SecurityGroupRule {
  direction: RuleDirection
  protocol: RuleProtocol
  /** Both ports are null when the rule covers all ports of the protocol. */
  portFrom: number | null
  portTo: number | null
  /** The client sent `portFrom` only, and `portTo` equals it. */
  singlePort: boolean
  cidr: string | null
  /** The CIDR as the client wrote it, possibly with host bits. Absent when Berth made the rule. */
  requestedCidr?: string | null
  peerGroupId: string | null
}

/** A group of rules. Traffic that no rule allows is denied: a direction without rules is closed. */
export interface SecurityGroupView {
  id: string
  tenantId: string
  name: string
  description: string
  /** The VPC for which the client says the group is meant. It restricts nothing. */
  vpcId: string | null
  /** VMs without a chosen group get this one. It exists as long as its tenant. */
  isDefault: boolean
  rules: SecurityGroupRule[]
  version: number
  createdAt: string
  updatedAt: string
}
