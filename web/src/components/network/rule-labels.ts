import type { SecurityGroupRule } from '../../api/network/security-groups.ts'
import { t } from '../../i18n/t.ts'

type Ports = Pick<SecurityGroupRule, 'portFrom' | 'portTo'>

const protocolLabels = { tcp: 'TCP', udp: 'UDP', icmp: 'ICMP' }

export const hasPorts = (protocol: SecurityGroupRule['protocol']): boolean =>
  protocol === 'tcp' || protocol === 'udp'

/** Returns `443`, `8000-8010`, or an empty text for every port. */
export function portsText({ portFrom, portTo }: Ports): string {
  if (portFrom === null) return ''
  return portTo === null || portTo === portFrom ? String(portFrom) : `${portFrom}-${portTo}`
}

/** Returns `TCP 443`, `UDP, every port` or `Everything`. */
export function trafficLabel({
  protocol,
  ...ports
}: Ports & Pick<SecurityGroupRule, 'protocol'>): string {
  if (protocol === 'all') return t('Everything')
  const label = protocolLabels[protocol]
  if (!hasPorts(protocol)) return label
  return ports.portFrom === null
    ? t('{protocol}, every port', { protocol: label })
    : `${label} ${portsText(ports)}`
}

/** Returns the peer of the rule, such as `203.0.113.0/24` or `anywhere (IPv4)`. */
export function peerLabel(
  { cidr, peerGroupId }: Pick<SecurityGroupRule, 'cidr' | 'peerGroupId'>,
  groups: readonly { id: string; name: string }[],
): string {
  if (cidr === '0.0.0.0/0') return t('anywhere (IPv4)')
  if (cidr === '::/0') return t('anywhere (IPv6)')
  if (cidr !== null) return cidr
  const group = groups.find(({ id }) => id === peerGroupId)
  return group ? t('machines of {name}', { name: group.name }) : t('machines of another group')
}
