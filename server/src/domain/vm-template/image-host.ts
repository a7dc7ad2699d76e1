import { ipv4FromText, ipv4Number, ipv6FromText } from '../../engine/model/ip-address.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/*
 * Which hosts an importer may be sent to (S-31). A URL object has already folded decimal, octal,
 * hexadecimal and shortened IPv4 into dots and IPv6 into its shortest form, so one spelling of each
 * address is enough here. What a name resolves to is not known here, nor may it be trusted later:
 * the importer asks again. That wall is the network policy of the namespace.
 */
export interface HostRules {
  /** Addresses and names of one's own network: for a cluster on a laptop. */
  readonly allowPrivate: boolean
  /** Only these hosts (and what is below one that begins with a dot); empty allows all. */
  readonly allowedHosts: readonly string[]
}

/**
 * What is wrong with a host, as the rest of the sentence that begins with the field; null when
 * nothing is.
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
  if (range === null && !allowPrivate && isInnerName(host))
    return messageOf('template.host_inner_name')
  return null
}

const isListed = (host: string, allowedHosts: readonly string[]): boolean =>
  allowedHosts.length === 0 || allowedHosts.some((each) => isAllowed(host, each.toLowerCase()))

const isAllowed = (host: string, allowed: string): boolean =>
  allowed.startsWith('.') ? host.endsWith(allowed) || host === allowed.slice(1) : host === allowed

const innerSuffixes = [
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

function isInnerName(host: string): boolean {
  const parts = host.split('.')
  return parts.length < 2 || parts.includes('svc') || innerSuffixes.includes(parts.at(-1) ?? '')
}

type Range = 'public' | 'private' | 'never'

/**
 * Null for a name. `never` is what no image can be on: this network, link-local with the metadata
 * services, multicast, reserved.
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
 * Addresses that carry an IPv4 address are judged by it; of the rest only global unicast is public.
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
 * By their first 32 bits. Translated and tunnelled addresses lead wherever the IPv4 address inside
 * does; nobody serves images on them.
 */
const ipv6Blocks: readonly (readonly [first: number, length: number, range: Range])[] = [
  [0x2001_0000, 23, 'never'],
  [0x2001_0db8, 32, 'never'],
  [0x2002_0000, 16, 'never'],
  [0x3fff_0000, 20, 'never'],
  [0x2000_0000, 3, 'public'],
  [0xfc00_0000, 7, 'private'],
]
