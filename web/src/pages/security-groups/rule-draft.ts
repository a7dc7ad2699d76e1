import type { SecurityGroupRow, SecurityGroupRule } from '../../api/network/security-groups.ts'
import { hasPorts, portsText } from '../../components/network/rule-labels.ts'
import { t } from '../../i18n/t.ts'

/** A rule in the form: its ports as text, and its peer as one choice. */
export interface RuleDraft {
  key: number
  direction: SecurityGroupRule['direction']
  protocol: SecurityGroupRule['protocol']
  /** `443`, `8000-8010`, or empty for every port. */
  ports: string
  /** The rule was written with its first port only. It is sent so again, for Terraform. */
  singlePort: boolean
  /** The ports of an ICMP rule have no effect. The form hides them, and the rule keeps them. */
  icmpPorts: Pick<SecurityGroupRule, 'portFrom' | 'portTo'>
  /** A key of `anywhere`, the word `cidr`, or the id of a group. */
  peer: string
  cidr: string
}

export type RuleField = 'ports' | 'cidr'
export type RuleErrors = Partial<Record<RuleField, string>>

const anywhere: Readonly<Record<string, string>> = { any4: '0.0.0.0/0', any6: '::/0' }

const noPorts = { portFrom: null, portTo: null }

let nextKey = 1

export function newDraft(values: Partial<Omit<RuleDraft, 'key'>> = {}): RuleDraft {
  return {
    direction: 'ingress',
    protocol: 'tcp',
    ports: '',
    singlePort: false,
    icmpPorts: noPorts,
    peer: 'any4',
    cidr: '',
    ...values,
    key: nextKey++,
  }
}

export function draftFromRule({
  direction,
  protocol,
  portFrom,
  portTo,
  singlePort,
  cidr,
  peerGroupId,
}: SecurityGroupRow['rules'][number]): RuleDraft {
  const ports = { portFrom, portTo: singlePort ? null : portTo }
  const known = Object.entries(anywhere).find(([, range]) => range === cidr)?.[0]
  return newDraft({
    direction,
    protocol,
    singlePort,
    ...(protocol === 'icmp' ? { icmpPorts: ports } : { ports: portsText(ports) }),
    peer: peerGroupId ?? known ?? 'cidr',
    cidr: known ? '' : (cidr ?? ''),
  })
}

/** Returns the rule as the server accepts it, and the errors of its fields. */
export function ruleFromDraft({
  direction,
  protocol,
  ports,
  singlePort,
  icmpPorts,
  ...who
}: RuleDraft): {
  rule: SecurityGroupRule
  errors: RuleErrors
} {
  const range = portRange(hasPorts(protocol) ? ports : '')
  const peer = peerOf(who)
  const errors: RuleErrors = {
    ...(range ? {} : { ports: t('A port as 443, or a range as 8000-8010') }),
    ...(peer.cidr === null || isPlausibleRange(peer.cidr)
      ? {}
      : { cidr: t('Addresses as 203.0.113.0/24 or 2001:db8::/32') }),
  }
  const [portFrom, lastPort] = range ?? [null, null]
  const portTo = singlePort && lastPort === portFrom ? null : lastPort
  const sent = protocol === 'icmp' ? icmpPorts : { portFrom, portTo }
  return { rule: { direction, protocol, ...sent, ...peer }, errors }
}

function peerOf({
  peer,
  cidr,
}: Pick<RuleDraft, 'peer' | 'cidr'>): Pick<SecurityGroupRule, 'cidr' | 'peerGroupId'> {
  if (peer === 'cidr') return { cidr: cidr.trim(), peerGroupId: null }
  const range = anywhere[peer]
  return range ? { cidr: range, peerGroupId: null } : { cidr: null, peerGroupId: peer }
}

const highestPort = 65_535

/** Parses a port or a range. Returns null when it is invalid; an empty text means every port. */
function portRange(text: string): [number | null, number | null] | null {
  if (text.trim() === '') return [null, null]
  const found = /^(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?$/.exec(text.trim())
  if (!found) return null
  const from = Number(found[1])
  const to = Number(found[2] ?? found[1])
  return from >= 1 && from <= to && to <= highestPort ? [from, to] : null
}

// This check only catches obvious mistakes. The server decides.
const isPlausibleRange = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/.test(text) ||
  /^[\da-f:.]*:[\da-f:.]*(\/\d{1,3})?$/i.test(text)
