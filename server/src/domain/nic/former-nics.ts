import { Fault } from '../../engine/model/fault.ts'
import { blockFromText } from '../network/block.ts'
import { type AddressRange } from './addresses.ts'

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
  throw new Fault(
    'wrong_state',
    `Network ${name} does not give ${address} to VMs any more; ask with ip renewed.`,
  )
}

const placeOf = (address: string): bigint => blockFromText(`${address}/32`)?.first ?? -1n

const isIn = ({ first, last }: AddressRange, address: string): boolean =>
  placeOf(first) <= placeOf(address) && placeOf(address) <= placeOf(last)

/**
 * Why something that is to be kept is not to be had, by who has it; null for somebody whom the
 * tenant cannot see.
 */
export function takenFault(
  what: string,
  choice: 'mac' | 'ip',
  holder: Pick<NicHolder, 'vmName' | 'freeAt'> | null,
): Fault {
  const renew = `ask with ${choice} renewed.`
  if (holder === null) return new Fault('in_use', `Another VM has ${what} by now; ${renew}`)
  const { vmName, freeAt } = holder
  if (freeAt === null)
    return new Fault('in_use', `VM ${vmName} has ${what}; delete that VM first, or ${renew}`)
  return new Fault(
    'in_use',
    `VM ${vmName} had ${what} until a moment ago, and it still rests; wait a few minutes, or ${renew}`,
  )
}
