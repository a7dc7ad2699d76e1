export const ruleDirections = ['ingress', 'egress'] as const
export type RuleDirection = (typeof ruleDirections)[number]

export const ruleProtocols = ['tcp', 'udp', 'icmp', 'all'] as const
export type RuleProtocol = (typeof ruleProtocols)[number]

/**
 * What is let through. Whom it is let through from, or to, is a range of addresses or the VMs of a
 * group: one of the two.
 */
export interface SecurityGroupRule {
  direction: RuleDirection
  protocol: RuleProtocol
  /** Both or neither: every port of the protocol. */
  portFrom: number | null
  portTo: number | null
  /** `portFrom` alone was named, and `portTo` is the same. */
  singlePort: boolean
  cidr: string | null
  peerGroupId: string | null
}

/** What no rule lets through is kept out: a direction without a rule is closed. */
export interface SecurityGroupView {
  id: string
  tenantId: string
  name: string
  description: string
  /**
   * The VPC that it is meant for, in the words of whoever made it: it holds wherever it is given.
   */
  vpcId: string | null
  /** Of VMs for which nobody has chosen; there as long as its tenant. */
  isDefault: boolean
  rules: SecurityGroupRule[]
  version: number
  createdAt: string
  updatedAt: string
}
