import { Fault } from '../../engine/model/fault.ts'
import { blockFromText } from '../network/block.ts'
import { type AddressRange } from './addresses.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * What the NICs of a new machine take over from those of another, by their network; null stands for
 * the cluster's own.
 */
export interface FormerNics {
  macs: ReadonlyMap<string | null, string>
  addresses: ReadonlyMap<string, string>
}

/** Who has a MAC or an address that is wanted. */
export interface NicHolder {
  mac: string
  address: string | null
  networkId: string | null
  vmName: string
  /** When somebody else may get it; null as long as it is in use. */
  freeAt: string | null
}

/** The one address that is to be had there, instead of any; refused where VMs do not get it. */
export function onlyAddress(
  { name, ranges }: { name: string; ranges: readonly AddressRange[] },
  address: string,
): AddressRange[] {
  if (ranges.some((range) => isIn(range, address))) return [{ first: address, last: address }]
  throw new Fault('wrong_state', messageOf('network.address_gone', { name, address }))
}

const placeOf = (address: string): bigint => blockFromText(`${address}/32`)?.first ?? -1n

const isIn = ({ first, last }: AddressRange, address: string): boolean =>
  placeOf(first) <= placeOf(address) && placeOf(address) <= placeOf(last)

/**
 * Why something that is to be kept is not to be had, by who has it; null for somebody whom the
 * tenant cannot see.
 */
export function takenFault(
  what: Message,
  choice: 'mac' | 'ip',
  holder: Pick<NicHolder, 'vmName' | 'freeAt'> | null,
): Fault {
  if (holder === null)
    return new Fault('in_use', messageOf('nic.taken_by_unknown', { what, choice }))
  const { vmName, freeAt } = holder
  if (freeAt === null)
    return new Fault('in_use', messageOf('nic.taken_by', { vm: vmName, what, choice }))
  return new Fault('in_use', messageOf('nic.resting', { vm: vmName, what, choice }))
}
