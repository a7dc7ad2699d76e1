import { Fault } from '../../engine/model/fault.ts'
import { blockFromText } from '../network/block.ts'
import { type AddressRange } from './addresses.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * MACs and addresses that the NICs of a new VM take over from another VM, by network id. The key
 * null is the cluster network.
 */
export interface InheritedNics {
  macs: ReadonlyMap<string | null, string>
  addresses: ReadonlyMap<string, string>
}

/** The NIC that has the requested MAC or address. */
export interface NicHolder {
  mac: string
  address: string | null
  networkId: string | null
  vmName: string
  /** When another NIC may get it; null while it is in use. */
  freeAt: string | null
}

/** Returns a range of only the requested address. Refuses an address that is not for VMs. */
export function requireAddressIn(
  { name, ranges }: { name: string; ranges: readonly AddressRange[] },
  address: string,
): AddressRange[] {
  if (ranges.some((range) => isIn(range, address))) return [{ first: address, last: address }]
  throw new Fault('wrong_state', messageOf('network.address_gone', { name, address }))
}

const numberOf = (address: string): bigint => blockFromText(`${address}/32`)?.first ?? -1n

const isIn = ({ first, last }: AddressRange, address: string): boolean =>
  numberOf(first) <= numberOf(address) && numberOf(address) <= numberOf(last)

/**
 * Returns the fault for a MAC or address that is in use or resting. The holder is null when the
 * tenant may not see it.
 */
export function addressTakenFault(
  what: Message,
  choice: Message,
  holder: Pick<NicHolder, 'vmName' | 'freeAt'> | null,
): Fault {
  if (holder === null)
    return new Fault('in_use', messageOf('nic.taken_by_unknown', { what, choice }))
  const { vmName, freeAt } = holder
  if (freeAt === null)
    return new Fault('in_use', messageOf('nic.taken_by', { vm: vmName, what, choice }))
  return new Fault('in_use', messageOf('nic.resting', { vm: vmName, what, choice }))
}

/** Returns why a clone cannot take over MACs and addresses that these NICs have, or null. */
export function inheritanceRefusal(
  holders: readonly NicHolder[],
  { macs, addresses }: InheritedNics,
): Fault | null {
  const [holder] = holders
  if (!holder) return null
  const requestedMacs = new Set(macs.values())
  const hasMac = ({ mac }: NicHolder): boolean => requestedMacs.has(mac)
  const hasAddress = ({ networkId, address }: NicHolder): boolean =>
    networkId !== null && address !== null && addresses.get(networkId) === address
  const isMac = holders.some(hasMac)
  const choice = isMac && holders.some(hasAddress) ? 'both' : isMac ? 'mac' : 'ip'
  const what = hasMac(holder)
    ? messageOf('nic.what.mac', { mac: holder.mac })
    : messageOf('nic.what.address_alone', { address: holder.address ?? '' })
  return addressTakenFault(what, messageOf(`nic.choice.${choice}`), holder)
}
