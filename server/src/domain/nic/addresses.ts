import { type Block, addressText, blockFromText } from '../network/block.ts'

export interface AddressRange {
  first: string
  last: string
}

/** Returns the addresses for VMs: all except the network, gateway and broadcast addresses. */
export function addressesForVms(cidr: string): AddressRange {
  const { first, last } = blockOf(cidr)
  return { first: addressText(first + 2n), last: addressText(last - 1n) }
}

/** Counts the addresses of the ranges. */
export const countAddresses = (ranges: readonly AddressRange[]): number =>
  ranges
    .map(
      ({ first, last }) => Number(blockOf(`${last}/32`).first - blockOf(`${first}/32`).first) + 1,
    )
    .reduce((sum, size) => sum + size, 0)

function blockOf(cidr: string): Block {
  const block = blockFromText(cidr)
  if (!block) throw new TypeError(`${cidr} is not a block of addresses`)
  return block
}

/** The uses of addresses that VMs cannot have. */
export const reservedUses = ['network', 'gateway', 'broadcast'] as const
export type ReservedUse = (typeof reservedUses)[number]

export interface ReservedAddress {
  address: string
  use: ReservedUse
}

/** Lists the addresses of a network that no VM gets. */
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

/** An address that a VM has, or had until recently. */
export interface AllocatedAddress {
  address: string
  mac: string
  nic: string
  vmId: string
  vmName: string
  /** When another NIC may get the address; null while it is in use. */
  freeAt: string | null
}
