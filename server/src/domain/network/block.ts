/**
 * A block of addresses, bounds included. Numbers hold the addresses of both families; texts of the
 * second are not read yet.
 */
export interface Block {
  family: 4 | 6
  prefix: number
  first: bigint
  last: bigint
}

const bitsOf: Record<Block['family'], number> = { 4: 32, 6: 128 }

/** The block of the size that begins at or before the address. */
export function blockAt(
  address: bigint,
  { family, prefix }: Pick<Block, 'family' | 'prefix'>,
): Block {
  const free = BigInt(bitsOf[family] - prefix)
  const first = (address >> free) << free
  return { family, prefix, first, last: first + (1n << free) - 1n }
}

const cidr = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/

/**
 * What somebody wrote, whose bits behind the prefix do not count; null when it is no IPv4 block.
 */
export function blockFromText(text: string): Block | null {
  const parts = cidr.exec(text)?.slice(1)
  // A leading zero means octal to some readers and decimal to others.
  if (!parts || parts.some((part) => part.length > 1 && part.startsWith('0'))) return null
  const [prefix = 0, ...octets] = [parts.pop(), ...parts].map(Number)
  if (prefix > bitsOf[4] || octets.some((octet) => octet > 255)) return null
  return blockAt(BigInt(octets.reduce((sum, octet) => sum * 256 + octet, 0)), { family: 4, prefix })
}

export const addressText = (address: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.')

/** What every two blocks are to each other, and how a block is written. */
export const blocks = {
  text: ({ first, prefix }: Block): string => `${addressText(first)}/${prefix}`,
  overlap: (one: Block, other: Block): boolean =>
    one.family === other.family && one.first <= other.last && other.first <= one.last,
  holds: (outer: Block, inner: Block): boolean =>
    outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last,
  size: ({ first, last }: Block): number => Number(last - first + 1n),
} as const
