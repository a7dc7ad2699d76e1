import { blockFromText } from '../network/block.ts'
import { type PublicNetwork } from '../network/public-network.ts'
import { type NicRow, nicName } from './nic.ts'
import { primaryOf } from './nics-from.ts'

export type WiredNic = Pick<NicRow, 'ordinal' | 'kind' | 'mac' | 'address' | 'gateway'> & {
  cidr: string | null
}

interface Ethernet {
  match: { macaddress: string }
  dhcp4?: true
  addresses?: string[]
  routes?: { to: string; via: string }[]
  nameservers?: { addresses: readonly string[] }
}

/**
 * How a guest sets up its NICs, in version 2 of cloud-init's network data: each is found by its
 * MAC, for what a guest calls it is the guest's own affair. Out of its networks it goes by the
 * primary one; with two ways out it would answer by the wrong one.
 */
export function networkDataOf(
  nics: readonly WiredNic[],
  publicNetwork: PublicNetwork | null,
): { version: 2; ethernets: Record<string, Ethernet> } {
  const primary = primaryOf(nics)
  const ethernets = nics.map(
    (nic) =>
      [
        nicName(nic.ordinal),
        ethernetOf(nic, { publicNetwork, leadsOut: nic === primary }),
      ] as const,
  )
  return { version: 2, ethernets: Object.fromEntries(ethernets) }
}

interface Around {
  publicNetwork: PublicNetwork | null
  leadsOut: boolean
}

function ethernetOf(nic: WiredNic, around: Around): Ethernet {
  const match = { macaddress: nic.mac }
  return nic.kind === 'pod' ? { match, dhcp4: true } : { match, ...fixedOf(nic, around) }
}

function fixedOf(nic: WiredNic, { publicNetwork, leadsOut }: Around): Omit<Ethernet, 'match'> {
  const onPublic = nic.kind === 'public' ? publicNetwork : null
  const { cidr, gateway } = onPublic ?? nic
  const prefix = cidr === null ? undefined : blockFromText(cidr)?.prefix
  // Of a public network that was switched off nothing is known any more.
  if (prefix === undefined) return {}
  return {
    addresses: [`${nic.address}/${prefix}`],
    // As a block and not as `default`, which is not known to every version.
    ...(leadsOut && gateway !== null ? { routes: [{ to: '0.0.0.0/0', via: gateway }] } : {}),
    ...(onPublic && onPublic.dns.length > 0 ? { nameservers: { addresses: onPublic.dns } } : {}),
  }
}
