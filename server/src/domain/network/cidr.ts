import { ipv4FromText, ipv6FromText } from '../../engine/model/ip-address.ts'

/** Reads and writes the addresses of one family as numbers of `bits` bits each. */
interface Family {
  bits: number
  read(address: string): number[] | null
  write(parts: readonly number[]): string
}

/**
 * Returns the canonical text of a range: without host bits, IPv6 as in RFC 5952. Null for text that
 * is not a range. A single address becomes the range that contains only it.
 */
export function canonicalCidr(text: string): string | null {
  const [address = '', length, ...rest] = text.trim().split('/')
  const family = address.includes(':') ? ipv6 : ipv4
  const parts = family.read(address)
  if (parts === null || rest.length > 0) return null
  const maxPrefix = parts.length * family.bits
  const prefix = length === undefined ? maxPrefix : lengthOf(length)
  if (prefix === null || prefix > maxPrefix) return null
  return `${family.write(parts.map((part, index) => masked(part, prefix - index * family.bits, family.bits)))}/${prefix}`
}

const lengthOf = (text: string): number | null =>
  /^(0|[1-9]\d{0,2})$/.test(text) ? Number(text) : null

/** Clears all but the first `keep` bits of the part. */
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

/** Returns the longest run of zeros; the first one when several are equally long. */
function longestZeros(parts: readonly number[]): { at: number; length: number } {
  const runs = parts.map((_, at) => {
    const end = parts.findIndex((part, index) => index >= at && part !== 0)
    return { at, length: (end < 0 ? parts.length : end) - at }
  })
  return runs.reduce((best, run) => (run.length > best.length ? run : best), { at: 0, length: 0 })
}
