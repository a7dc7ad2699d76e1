import { invalid } from '../../engine/model/name.ts'
import { canonicalCidr } from './cidr.ts'
import { type SecurityGroupRule } from './security-group.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A rule as somebody asks for it. */
export type AskedRule = Pick<SecurityGroupRule, 'direction' | 'protocol'> &
  Partial<Pick<SecurityGroupRule, 'portFrom' | 'portTo' | 'cidr' | 'peerGroupId'>>

const most = { rules: 100, groupsOfVm: 10, port: 65_535 } as const

/** The rules as they are kept: checked, in their one spelling, each of them once. */
export function requireRules(asked: readonly AskedRule[]): SecurityGroupRule[] {
  const rules = asked.map((rule, index) => requireRule(rule, `rules[${index}]`))
  const once = [
    ...new Map(rules.map((rule) => [JSON.stringify({ ...rule, singlePort: null }), rule])).values(),
  ]
  if (once.length > most.rules)
    throw invalid('rules', messageOf('field.at_most', { most: most.rules }))
  return once
}

function requireRule({ direction, protocol, ...rule }: AskedRule, path: string): SecurityGroupRule {
  return { direction, protocol, ...portsOf({ protocol, ...rule }, path), ...peerOf(rule, path) }
}

function portsOf(
  rule: Omit<AskedRule, 'direction'>,
  path: string,
): Pick<SecurityGroupRule, 'portFrom' | 'portTo' | 'singlePort'> {
  const from = rule.portFrom ?? rule.portTo ?? null
  if (from === null) return { portFrom: null, portTo: null, singlePort: false }
  if (rule.protocol !== 'tcp' && rule.protocol !== 'udp')
    throw invalid(`${path}.portFrom`, messageOf('security_group.ports_protocol'))
  const portFrom = requirePort(rule.portFrom ?? null, `${path}.portFrom`)
  const portTo = requirePort(rule.portTo ?? portFrom, `${path}.portTo`)
  if (portTo < portFrom) throw invalid(`${path}.portTo`, messageOf('security_group.port_order'))
  return { portFrom, portTo, singlePort: (rule.portTo ?? null) === null }
}

function requirePort(port: number | null, path: string): number {
  if (port !== null && Number.isInteger(port) && port >= 1 && port <= most.port) return port
  throw invalid(path, messageOf('security_group.port_range', { most: most.port }))
}

function peerOf(
  { cidr, peerGroupId }: Partial<AskedRule>,
  path: string,
): Pick<SecurityGroupRule, 'cidr' | 'peerGroupId'> {
  if (Boolean(cidr) === Boolean(peerGroupId))
    throw invalid(path, messageOf('security_group.one_peer'))
  if (!cidr) return { cidr: null, peerGroupId: peerGroupId?.toLowerCase() ?? null }
  const canonical = canonicalCidr(cidr)
  if (canonical === null) throw invalid(`${path}.cidr`, messageOf('security_group.cidr'))
  return { cidr: canonical, peerGroupId: null }
}

/**
 * The groups of a VM, each once: it has one at least, for without any nobody could tell why it is
 * closed.
 */
export function requireGroupIds(ids: readonly string[], path: string): string[] {
  const once = [...new Set(ids.map((id) => id.toLowerCase()))]
  if (once.length === 0) throw invalid(path, messageOf('field.one_needed'))
  if (once.length > most.groupsOfVm)
    throw invalid(path, messageOf('field.at_most', { most: most.groupsOfVm }))
  return once
}
