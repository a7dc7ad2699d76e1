import { type Block, addressText, blockFromText } from '../network/block.ts'

export interface AddressRange {
  first: string
  last: string
}

/** What a network has for machines: all but its own address, the gateway's and the broadcast. */
export function addressesForVms(cidr: string): AddressRange {
  const { first, last } = blockOf(cidr)
  return { first: addressText(first + 2n), last: addressText(last - 1n) }
}

/** How many addresses these are. */
export const countIn = (ranges: readonly AddressRange[]): number =>
  ranges
    .map(
      ({ first, last }) => Number(blockOf(`${last}/32`).first - blockOf(`${first}/32`).first) + 1,
    )
    .reduce((sum, size) => sum + size, 0)

function blockOf(cidr: string): Block {
  const block = blockFromText(cidr)
  if (!block) throw new TypeError(`${cidr} is no block of addresses`)
  return block
}

/** What is kept of a network, and what for. */
export const reservedUses = ['network', 'gateway', 'broadcast'] as const
export type ReservedUse = (typeof reservedUses)[number]

export interface ReservedAddress {
  address: string
  use: ReservedUse
}

/** The addresses of a network that no machine gets. */
export function reservedIn({
  cidr,
  gateway,
}: {
  cidr: string
  gateway: string
}): ReservedAddress[] {
  const block = blockOf(cidr)
  return [
    { address: addressText(block.first), use: 'network' },
    { address: gateway, use: 'gateway' },
    { address: addressText(block.last), use: 'broadcast' },
  ]
}

/** An address of a network that a machine has, or had a moment ago. */
export interface GivenAddress {
  address: string
  mac: string
  nic: string
  vmId: string
  vmName: string
  /** When somebody else may get it; null as long as it is in use. */
  freeAt: string | null
}
