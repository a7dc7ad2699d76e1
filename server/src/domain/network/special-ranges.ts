import { canonicalCidr } from './cidr.ts'

/*
 * The address ranges with a special purpose (IANA registries) and the metadata services of clouds.
 * Three rules rest on this one list: which hosts an image may be on, where importers may send to,
 * and where VMs may send to over the cluster network.
 */

/**
 * - `platform`: link-local addresses and metadata services. They give their callers the rights of
 *   the node.
 * - `private`: networks of the operator. VMs may have to reach them; importers of images need not.
 * - `reserved`: no host on the internet has such an address.
 */
const purposes = ['platform', 'private', 'reserved'] as const
export type RangePurpose = (typeof purposes)[number]

interface SpecialRange {
  cidr: string
  purpose: RangePurpose
}

const listed: Readonly<Record<RangePurpose, readonly string[]>> = {
  platform: [
    '169.254.0.0/16',
    // Alibaba Cloud and Azure serve metadata here.
    '100.100.100.200/32',
    '168.63.129.16/32',
    'fe80::/10',
    // Amazon and Google serve metadata here.
    'fd00:ec2::254/128',
    'fd20:ce::254/128',
  ],
  private: [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '::1/128',
    'fc00::/7',
  ],
  reserved: [
    '0.0.0.0/8',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
    // Teredo and 6to4 addresses lead to the IPv4 address that they embed.
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '3fff::/20',
  ],
}

const specialRanges: readonly SpecialRange[] = purposes.flatMap((purpose) =>
  listed[purpose].map((cidr) => ({ cidr, purpose })),
)

/** The part of IPv6 that the internet uses. */
export const globalUnicast = '2000::/3'

/** Returns the special ranges, or those with one purpose. */
export const rangesFor = (purpose?: RangePurpose): string[] =>
  specialRanges
    .filter((range) => purpose === undefined || range.purpose === purpose)
    .map(({ cidr }) => cidr)

/**
 * Returns the purpose of the address; null for a public one. `platform` comes first, because
 * metadata services have addresses in private ranges.
 */
export function purposeOf(address: string): RangePurpose | null {
  const own = canonicalCidr(address)
  if (own === null) return null
  const found = specialRanges.find(({ cidr }) => rangeHolds(cidr, own))
  if (found) return found.purpose
  return own.includes(':') && !rangeHolds(globalUnicast, own) ? 'reserved' : null
}

const prefixOf = (cidr: string): number => Number(cidr.split('/')[1])

/** True when the outer range has all addresses of the inner one. Both are canonical. */
export function rangeHolds(outer: string, inner: string): boolean {
  const [address] = inner.split('/')
  return (
    outer.includes(':') === inner.includes(':') &&
    prefixOf(outer) <= prefixOf(inner) &&
    canonicalCidr(`${address}/${prefixOf(outer)}`) === outer
  )
}

/** True when the range has every address of its family. */
export const isWholeFamily = (cidr: string): boolean => prefixOf(cidr) === 0

/** Returns the ranges without duplicates, and without ranges that another one holds, in order. */
export const withoutHeld = (ranges: readonly string[]): string[] =>
  [...new Set(ranges)]
    .filter(
      (range, _index, all) => !all.some((other) => other !== range && rangeHolds(other, range)),
    )
    .sort()

/**
 * Returns the closed ranges inside the given one, as `except` of a NetworkPolicy takes them. The
 * API server refuses an exception that is not smaller than its range.
 */
export const exceptionsIn = (cidr: string, closed: readonly string[]): string[] =>
  closed.filter((range) => range !== cidr && rangeHolds(cidr, range))
