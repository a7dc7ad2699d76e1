import { ipv4FromText, ipv6FromText } from '../../engine/model/ip-address.ts'

/** How addresses of a family are written, as numbers of so many bits each. */
interface Family {
  bits: number
  read(address: string): number[] | null
  write(parts: readonly number[]): string
}

/**
 * The range as it is written everywhere: without the bits of a host, and IPv6 as RFC 5952 has it;
 * null for what is none. A single address is the range of just that.
 */
export function canonicalCidr(text: string): string | null {
  const [address = '', length, ...rest] = text.trim().split('/')
  const family = address.includes(':') ? ipv6 : ipv4
  const parts = family.read(address)
  if (parts === null || rest.length > 0) return null
  const most = parts.length * family.bits
  const prefix = length === undefined ? most : lengthOf(length)
  if (prefix === null || prefix > most) return null
  return `${family.write(parts.map((part, index) => masked(part, prefix - index * family.bits, family.bits)))}/${prefix}`
}

const lengthOf = (text: string): number | null =>
  /^(0|[1-9]\d{0,2})$/.test(text) ? Number(text) : null

/** The part with all but its first bits erased. */
function masked(part: number, keep: number, bits: number): number {
  if (keep >= bits) return part
  const step = 2 ** (bits - Math.max(keep, 0))
  return Math.floor(part / step) * step
}

const ipv4: Family = {
  bits: 8,
  read: ipv4FromText,
  write: (parts) => parts.join('.'),
}

const ipv6: Family = {
  bits: 16,
  read: ipv6FromText,
  write(parts) {
    const { at, length } = longestZeros(parts)
    const text = (some: readonly number[]): string =>
      some.map((part) => part.toString(16)).join(':')
    return length < 2
      ? text(parts)
      : `${text(parts.slice(0, at))}::${text(parts.slice(at + length))}`
  },
}

/** Of several, the first. */
function longestZeros(parts: readonly number[]): { at: number; length: number } {
  const runs = parts.map((_, at) => {
    const end = parts.findIndex((part, index) => index >= at && part !== 0)
    return { at, length: (end < 0 ? parts.length : end) - at }
  })
  return runs.reduce((best, run) => (run.length > best.length ? run : best), { at: 0, length: 0 })
}
