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
 * Builds cloud-init network data, version 2. NICs are matched by MAC, because interface names are
 * up to the guest. Only the primary NIC has a default route: with two, replies would leave through
 * the wrong one.
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
        ethernetOf(nic, { publicNetwork, isDefaultRoute: nic === primary }),
      ] as const,
  )
  return { version: 2, ethernets: Object.fromEntries(ethernets) }
}

interface EthernetContext {
  publicNetwork: PublicNetwork | null
  isDefaultRoute: boolean
}

function ethernetOf(nic: WiredNic, context: EthernetContext): Ethernet {
  const match = { macaddress: nic.mac }
  return nic.kind === 'pod' ? { match, dhcp4: true } : { match, ...staticConfigOf(nic, context) }
}

function staticConfigOf(
  nic: WiredNic,
  { publicNetwork, isDefaultRoute }: EthernetContext,
): Omit<Ethernet, 'match'> {
  const joinedPublic = nic.kind === 'public' ? publicNetwork : null
  const { cidr, gateway } = joinedPublic ?? nic
  const prefix = cidr === null ? undefined : blockFromText(cidr)?.prefix
  // A disabled public network has no known address block.
  if (prefix === undefined) return {}
  return {
    addresses: [`${nic.address}/${prefix}`],
    // Not every cloud-init version accepts `default`.
    ...(isDefaultRoute && gateway !== null ? { routes: [{ to: '0.0.0.0/0', via: gateway }] } : {}),
    ...(joinedPublic && joinedPublic.dns.length > 0
      ? { nameservers: { addresses: joinedPublic.dns } }
      : {}),
  }
}
