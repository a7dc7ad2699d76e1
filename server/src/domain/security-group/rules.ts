import { invalid } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { canonicalCidr } from '../network/cidr.ts'
import { type SecurityGroupRule } from './security-group.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A rule as a client requests it. */
export type RuleRequest = Pick<SecurityGroupRule, 'direction' | 'protocol'> &
  Partial<Pick<SecurityGroupRule, 'portFrom' | 'portTo' | 'cidr' | 'peerGroupId'>>

const limits = { rules: 100, groupsOfVm: 10, port: 65_535 } as const

/** Validates the requested rules, normalizes them and removes duplicates. */
export function requireRules(requests: readonly RuleRequest[]): SecurityGroupRule[] {
  const checks = requests.map((rule, index) => {
    const path = `rules[${index}]`
    return [path, () => requireRule(rule, path)] as const
  })
  const rules = Object.values(requireAll(Object.fromEntries(checks)))
  const unique = [...new Map(rules.map((rule) => [effectOf(rule), rule])).values()]
  if (unique.length > limits.rules)
    throw invalid('rules', messageOf('field.at_most_items', { most: limits.rules }))
  return unique
}

/** Two rules with the same effect may be written differently. */
const effectOf = (rule: SecurityGroupRule): string =>
  JSON.stringify({ ...rule, singlePort: null, requestedCidr: null })

function requireRule(
  { direction, protocol, ...rule }: RuleRequest,
  path: string,
): SecurityGroupRule {
  const { ports, peer } = requireAll({
    ports: () => portsOf({ protocol, ...rule }, path),
    peer: () => peerOf(rule, path),
  })
  return { direction, protocol, ...ports, ...peer }
}

function portsOf(
  rule: Omit<RuleRequest, 'direction'>,
  path: string,
): Pick<SecurityGroupRule, 'portFrom' | 'portTo' | 'singlePort'> {
  const sent = (['portFrom', 'portTo'] as const).find((name) => (rule[name] ?? null) !== null)
  if (!sent) return { portFrom: null, portTo: null, singlePort: false }
  // Older clients send a port with each rule. ICMP has none, so it is kept and has no effect.
  if (rule.protocol === 'all')
    throw invalid(`${path}.${sent}`, messageOf('security_group.ports_protocol'))
  const portFrom = requirePort(rule.portFrom ?? null, `${path}.portFrom`)
  const portTo = requirePort(rule.portTo ?? portFrom, `${path}.portTo`)
  if (portTo < portFrom) throw invalid(`${path}.portTo`, messageOf('security_group.port_order'))
  return { portFrom, portTo, singlePort: (rule.portTo ?? null) === null }
}

function requirePort(port: number | null, path: string): number {
  if (port !== null && Number.isInteger(port) && port >= 1 && port <= limits.port) return port
  throw invalid(path, messageOf('field.from_to', { least: 1, most: limits.port }))
}

function peerOf(
  { cidr, peerGroupId }: Partial<RuleRequest>,
  path: string,
): Pick<SecurityGroupRule, 'cidr' | 'requestedCidr' | 'peerGroupId'> {
  if (Boolean(cidr) === Boolean(peerGroupId))
    throw invalid(path, messageOf('security_group.one_peer'))
  if (!cidr) return { cidr: null, peerGroupId: peerGroupId?.toLowerCase() ?? null }
  const canonical = canonicalCidr(cidr)
  if (canonical === null) throw invalid(`${path}.cidr`, messageOf('security_group.cidr'))
  return { cidr: canonical, requestedCidr: cidr.trim(), peerGroupId: null }
}

/**
 * Returns the groups of a VM without duplicates. At least one is required: a VM without a group
 * would be closed without a visible reason.
 */
export function requireGroupIds(ids: readonly string[], path: string): string[] {
  const unique = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (unique.length === 0) throw invalid(path, messageOf('field.one_needed'))
  if (unique.length > limits.groupsOfVm)
    throw invalid(path, messageOf('field.at_most_items', { most: limits.groupsOfVm }))
  return unique
}
