import { BlockList, isIP } from 'node:net'
import { type Cause, causes } from './cause.ts'

const notAnIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const notACidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
const leadingZeros = 'must not have leading 0s'

const hasLeadingZeros = (address: string): boolean =>
  address.split('.').length === 4 && /(^|\.)0\d/.test(address)

/** Ranges whose addresses no endpoint has, with the API server's texts. */
const special: readonly (readonly [text: string, ranges: readonly [string, number][]])[] = [
  [
    'may not be in the loopback range (127.0.0.0/8, ::1/128)',
    [
      ['127.0.0.0', 8],
      ['::1', 128],
    ],
  ],
  [
    'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    [
      ['169.254.0.0', 16],
      ['fe80::', 10],
    ],
  ],
  [
    'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    [
      ['224.0.0.0', 24],
      ['ff02::', 16],
    ],
  ],
]

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const isWithin = (address: string, [network, prefix]: readonly [string, number]): boolean => {
  if (familyOf(network) !== familyOf(address)) return false
  const range = new BlockList()
  range.addSubnet(network, prefix, familyOf(network))
  return range.check(address, familyOf(address))
}

/** Validates an IP address. */
export function ipCauses(field: string, address: string): Cause[] {
  if (isIP(address) !== 0) return []
  return [causes.invalid(field, address, hasLeadingZeros(address) ? leadingZeros : notAnIp)]
}

/** Refuses addresses that no endpoint can have. */
export function endpointCauses(field: string, address: string): Cause[] {
  if (address === '0.0.0.0' || address === '::')
    return [causes.invalid(field, address, `may not be unspecified (${address})`)]
  return special.flatMap(([text, ranges]) =>
    ranges.some((range) => isWithin(address, range)) ? [causes.invalid(field, address, text)] : [],
  )
}

/** Returns the network of a CIDR; null when it is no CIDR. */
function networkOf(cidr: string): readonly [address: string, prefix: number] | null {
  const [, address = '', prefix = ''] = /^(.+)\/(\d+)$/.exec(cidr) ?? []
  const most = isIP(address) === 6 ? 128 : 32
  return isIP(address) !== 0 && Number(prefix) <= most ? [address, Number(prefix)] : null
}

/** Validates a CIDR, which has no bits beyond its prefix. */
export function cidrCauses(field: string, cidr: string): Cause[] {
  const network = networkOf(cidr)
  if (network === null) {
    const isZeros = hasLeadingZeros(cidr.split('/')[0] ?? '')
    const why = isZeros ? `${leadingZeros} in IP or prefix length` : notACidr
    return [causes.invalid(field, cidr, why)]
  }
  return hasHostBits(network)
    ? [causes.invalid(field, cidr, 'must not have bits set beyond the prefix length')]
    : []
}

/** True unless the address is the first one of its network. */
function hasHostBits([address, prefix]: readonly [string, number]): boolean {
  if (isIP(address) === 6) return false
  const bits = address.split('.').reduce((all, part) => all * 256 + Number(part), 0)
  return bits % 2 ** (32 - prefix) !== 0
}

/** True when the inner CIDR is a smaller part of the outer one. */
export function isStrictSubset(inner: string, outer: string): boolean {
  const [part, whole] = [networkOf(inner), networkOf(outer)]
  return part !== null && whole !== null && part[1] > whole[1] && isWithin(part[0], whole)
}
