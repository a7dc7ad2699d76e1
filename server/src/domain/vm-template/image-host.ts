import { ipv4FromText, ipv4Number, ipv6FromText } from '../../engine/model/ip-address.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

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
  const range = rangeOf(host)
  if (range === 'never' || (range === 'private' && !allowPrivate))
    return messageOf('template.host_not_public')
  if (range === null && !allowPrivate && isInternalName(host))
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

function isInternalName(host: string): boolean {
  const parts = host.split('.')
  return parts.length < 2 || parts.includes('svc') || internalSuffixes.includes(parts.at(-1) ?? '')
}

type Range = 'public' | 'private' | 'never'

/**
 * Returns the range of an address, or null for a name. No image can be in `never`: this network,
 * link-local with the metadata services, multicast, reserved.
 */
function rangeOf(host: string): Range | null {
  if (host.startsWith('[')) return rangeOfIpv6(host.slice(1, -1))
  const bytes = ipv4FromText(host)
  return bytes && rangeOfIpv4(ipv4Number(bytes))
}

type Block = readonly [first: string, length: number, range: Range]

const ipv4Blocks: readonly Block[] = [
  ['0.0.0.0', 8, 'never'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['127.0.0.0', 8, 'private'],
  ['169.254.0.0', 16, 'never'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'never'],
  ['192.0.2.0', 24, 'never'],
  ['192.88.99.0', 24, 'never'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'private'],
  ['198.51.100.0', 24, 'never'],
  ['203.0.113.0', 24, 'never'],
  ['224.0.0.0', 4, 'never'],
  ['240.0.0.0', 4, 'never'],
]

const numberOf = (address: string): number => ipv4Number(ipv4FromText(address) ?? [])

function rangeOfIpv4(address: number): Range {
  return (
    ipv4Blocks.find(([first, length]) => isWithin(address, numberOf(first), length))?.[2] ??
    'public'
  )
}

/**
 * An address that embeds an IPv4 address has the range of that address. All other addresses are
 * public only if they are global unicast.
 */
function rangeOfIpv6(text: string): Range {
  const words = ipv6FromText(text) ?? []
  const head = words.slice(0, 6).join()
  const low = twoWords(words, 6)
  if (head === '0,0,0,0,0,65535') return rangeOfIpv4(low)
  if (head === '0,0,0,0,0,0') return low === 1 ? 'private' : 'never'
  const first32 = twoWords(words, 0)
  return ipv6Blocks.find(([first, length]) => isWithin(first32, first, length))?.[2] ?? 'never'
}

const twoWords = (words: readonly number[], at: number): number =>
  (words[at] ?? 0) * 65_536 + (words[at + 1] ?? 0)

const isWithin = (address: number, first: number, length: number): boolean =>
  Math.floor(address / 2 ** (32 - length)) === Math.floor(first / 2 ** (32 - length))

/**
 * Blocks by the first 32 bits of the address. Translated and tunnelled addresses lead to the
 * embedded IPv4 address, and no image is served on them.
 */
const ipv6Blocks: readonly (readonly [first: number, length: number, range: Range])[] = [
  [0x2001_0000, 23, 'never'],
  [0x2001_0db8, 32, 'never'],
  [0x2002_0000, 16, 'never'],
  [0x3fff_0000, 20, 'never'],
  [0x2000_0000, 3, 'public'],
  [0xfc00_0000, 7, 'private'],
]
