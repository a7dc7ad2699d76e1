import { t } from '../i18n/t.ts'

/** A block of IPv4 addresses; `first` is its first address as a number. */
export interface AddressBlock {
  first: number
  prefix: number
}

/** Parses a CIDR. Returns null when the text is not one, or has bits set beyond its prefix. */
export function blockFromText(text: string): AddressBlock | null {
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text.trim())
  if (!found) return null
  const [, ...numbers] = found.map(Number)
  const prefix = numbers.pop() ?? 0
  if (prefix > 32 || numbers.some((octet) => octet > 255)) return null
  const first = numbers.reduce((sum, octet) => sum * 256 + octet, 0)
  return first % sizeOf({ prefix }) === 0 ? { first, prefix } : null
}

export const blocks = {
  size: sizeOf,
  text: ({ first, prefix }: AddressBlock): string => `${addressText(first)}/${prefix}`,
  overlap,
  holds: (outer: AddressBlock, inner: AddressBlock): boolean =>
    outer.prefix <= inner.prefix && overlap(outer, inner),
}

/** Returns `256 addresses` or `65,536 addresses`. */
export function addressCount(prefix: number): string {
  return t('{n} address | {n} addresses', { n: sizeOf({ prefix }) })
}

function sizeOf({ prefix }: Pick<AddressBlock, 'prefix'>): number {
  return 2 ** (32 - prefix)
}

function overlap(one: AddressBlock, other: AddressBlock): boolean {
  return one.first < other.first + sizeOf(other) && other.first < one.first + sizeOf(one)
}

function addressText(address: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')
}
