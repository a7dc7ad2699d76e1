import type { SecurityGroupRule } from '../../api/network/security-groups.ts'
import { t } from '../../words/t.ts'

type Ports = Pick<SecurityGroupRule, 'portFrom' | 'portTo'>

const protocolWords = { tcp: 'TCP', udp: 'UDP', icmp: 'ICMP' }

export const hasPorts = (protocol: SecurityGroupRule['protocol']): boolean =>
  protocol === 'tcp' || protocol === 'udp'

/** `443`, `8000-8010`, or nothing for every port. */
export function portsText({ portFrom, portTo }: Ports): string {
  if (portFrom === null) return ''
  return portTo === null || portTo === portFrom ? String(portFrom) : `${portFrom}-${portTo}`
}

/** `TCP 443`, `UDP, every port`, `Everything`. */
export function trafficWords({
  protocol,
  ...ports
}: Ports & Pick<SecurityGroupRule, 'protocol'>): string {
  if (protocol === 'all') return t('Everything')
  const words = protocolWords[protocol]
  if (!hasPorts(protocol)) return words
  return ports.portFrom === null
    ? t('{protocol}, every port', { protocol: words })
    : `${words} ${portsText(ports)}`
}

/** Whom it is about: `203.0.113.0/24`, `anywhere (IPv4)`, `machines of web`. */
export function peerWords(
  { cidr, peerGroupId }: Pick<SecurityGroupRule, 'cidr' | 'peerGroupId'>,
  groups: readonly { id: string; name: string }[],
): string {
  if (cidr === '0.0.0.0/0') return t('anywhere (IPv4)')
  if (cidr === '::/0') return t('anywhere (IPv6)')
  if (cidr !== null) return cidr
  const group = groups.find(({ id }) => id === peerGroupId)
  return group ? t('machines of {name}', { name: group.name }) : t('machines of another group')
}
