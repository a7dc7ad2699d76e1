import { ipv4FromText, ipv4Number } from '../../engine/model/ip-address.ts'

/**
 * A block of addresses, bounds included. Numbers can hold both families; only IPv4 text is parsed
 * so far.
 */
export interface Block {
  family: 4 | 6
  prefix: number
  first: bigint
  last: bigint
}

const bitsOf: Record<Block['family'], number> = { 4: 32, 6: 128 }

/** Returns the block of the given prefix that contains the address. */
export function blockAt(
  address: bigint,
  { family, prefix }: Pick<Block, 'family' | 'prefix'>,
): Block {
  const free = BigInt(bitsOf[family] - prefix)
  const first = (address >> free) << free
  return { family, prefix, first, last: first + (1n << free) - 1n }
}

/** Parses a block and ignores its host bits; null when the text is not an IPv4 block. */
export function blockFromText(text: string): Block | null {
  const [address = '', prefix = '', ...rest] = text.split('/')
  const bytes = ipv4FromText(address)
  if (!bytes || rest.length > 0 || !/^(\d|[1-9]\d)$/.test(prefix)) return null
  if (Number(prefix) > bitsOf[4]) return null
  return blockAt(BigInt(ipv4Number(bytes)), { family: 4, prefix: Number(prefix) })
}

export const addressText = (address: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.')

/** Relations between two blocks, and the text of a block. */
export const blocks = {
  text: ({ first, prefix }: Block): string => `${addressText(first)}/${prefix}`,
  overlap: (one: Block, other: Block): boolean =>
    one.family === other.family && one.first <= other.last && other.first <= one.last,
  holds: (outer: Block, inner: Block): boolean =>
    outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last,
  size: ({ first, last }: Block): number => Number(last - first + 1n),
} as const
