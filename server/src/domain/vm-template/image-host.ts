import { ipv4FromText, ipv6FromText } from '../../engine/model/ip-address.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'
import { type RangePurpose, purposeOf } from '../network/special-ranges.ts'

/*
 * Decides which hosts an importer may fetch from (S-31). A URL object has already converted
 * decimal, octal, hexadecimal and shortened IPv4 to dotted form, and IPv6 to its shortest form. One
 * spelling of each address is therefore enough here. The address behind a name is not checked: the
 * importer resolves the name again later. The network policy of the namespace protects against
 * that.
 */
export interface HostRules {
  /** Allows private addresses and internal names, for a cluster on a laptop. */
  readonly allowPrivate: boolean
  /**
   * Allowed hosts; an entry that begins with a dot also allows all subdomains. Empty allows all
   * hosts.
   */
  readonly allowedHosts: readonly string[]
}

/**
 * Returns the problem of a host, as a clause that follows the field name, or null when the host is
 * allowed.
 */
export function hostProblem(
  hostname: string,
  { allowPrivate, allowedHosts }: HostRules,
): Message | null {
  const host = hostname.toLowerCase()
  if (host === '' || host.endsWith('.')) return messageOf('template.host_without_name')
  if (!isListed(host, allowedHosts)) return messageOf('template.host_not_listed')
  const purpose = purposeOfHost(host)
  if (purpose !== null && (purpose !== 'private' || !allowPrivate))
    return messageOf('template.host_not_public')
  if (!allowPrivate && !isAddress(host) && isInternalName(host))
    return messageOf('template.host_inner_name')
  return null
}

const isListed = (host: string, allowedHosts: readonly string[]): boolean =>
  allowedHosts.length === 0 || allowedHosts.some((each) => isAllowed(host, each.toLowerCase()))

const isAllowed = (host: string, allowed: string): boolean =>
  allowed.startsWith('.') ? host.endsWith(allowed) || host === allowed.slice(1) : host === allowed

const internalSuffixes = [
  'local',
  'localhost',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'svc',
  'arpa',
  'test',
  'invalid',
  'onion',
]

const isAddress = (host: string): boolean => host.startsWith('[') || ipv4FromText(host) !== null

function isInternalName(host: string): boolean {
  const parts = host.split('.')
  return parts.length < 2 || parts.includes('svc') || internalSuffixes.includes(parts.at(-1) ?? '')
}

/** Returns the purpose of an address; null for a public address and for a name. */
function purposeOfHost(host: string): RangePurpose | null {
  if (!host.startsWith('[')) return ipv4FromText(host) && purposeOf(host)
  const address = host.slice(1, -1)
  return purposeOf(mappedIpv4(address) ?? address)
}

/** Returns the IPv4 address in an IPv6 address that embeds one, because packets go there. */
function mappedIpv4(address: string): string | null {
  const groups = ipv6FromText(address) ?? []
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,65535') return null
  return groups
    .slice(6)
    .flatMap((group) => [Math.floor(group / 256), group % 256])
    .join('.')
}
