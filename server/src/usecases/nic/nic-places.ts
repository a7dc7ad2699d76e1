import { type NetworkView } from '../../domain/network/network.ts'
import { type Networking } from '../../domain/network/networking.ts'
import { publicNetwork, requirePublicNetwork } from '../../domain/network/public-network.ts'
import { type AddressRange, addressesForVms } from '../../domain/nic/addresses.ts'
import { type FormerNics, onlyAddress, takenFault } from '../../domain/nic/former-nics.ts'
import {
  type AskedNics,
  exhausted,
  mustBeJoinable,
  requireNetworkIds,
} from '../../domain/nic/rules.ts'
import { type NewNic } from '../../store/nic/nic.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

export type NicSettings = Pick<
  Networking,
  'addressRestSeconds' | 'publicNetwork' | 'publicNetworkState'
>

interface Wanted {
  tenantId: string
  asked: AskedNics
  settings: NicSettings
  /** What is taken over; null where all is new. */
  former?: FormerNics | null
}

export type NicPlace = Pick<NewNic, 'kind' | 'place'>

/**
 * Addresses that nobody else has, in the networks that were asked for and in their order, the
 * public one first.
 */
export async function nicPlaces(
  op: Op,
  { tenantId, asked, settings, former }: Wanted,
): Promise<NicPlace[]> {
  const pools = [...publicPools(asked, settings), ...(await privatePools(op, tenantId, asked))]
  return placesIn(
    op,
    pools.map((pool) => narrowed(pool, former?.addresses.get(pool.id) ?? null)),
    settings.addressRestSeconds,
  )
}

/** Where an address can be had. */
interface Pool {
  kind: 'private' | 'public'
  id: string
  name: string
  cidr: string | null
  ranges: readonly AddressRange[]
  /** The one that it has to be; null where any will do. */
  kept: string | null
}

const narrowed = (pool: Omit<Pool, 'kept'>, kept: string | null): Pool => ({
  ...pool,
  kept,
  ranges: kept === null ? pool.ranges : onlyAddress(pool, kept),
})

function publicPools(asked: AskedNics, settings: NicSettings): Omit<Pool, 'kept'>[] {
  if (!asked.publicIp) return []
  const { id, name } = publicNetwork
  const { cidr, pool: ranges } = requirePublicNetwork(settings.publicNetwork)
  mustBeJoinable({ name, cidr, ...settings.publicNetworkState() }, asked)
  return [{ kind: 'public', id, name, cidr: null, ranges }]
}

async function privatePools(
  op: Op,
  tenantId: string,
  asked: AskedNics,
): Promise<Omit<Pool, 'kept'>[]> {
  const ids = requireNetworkIds(asked)
  const held = new Map(
    (await op.networks.hold(tenantId, ids)).map((network) => [network.id, network]),
  )
  return ids.flatMap((id) => {
    const network = held.get(id)
    return network ? [poolOf(network, asked)] : []
  })
}

function poolOf(network: NetworkView, asked: AskedNics): Omit<Pool, 'kept'> {
  mustBeJoinable(network, asked)
  return {
    kind: 'private',
    id: network.id,
    name: network.name,
    cidr: network.cidr,
    ranges: [addressesForVms(network.cidr)],
  }
}

async function placesIn(op: Op, pools: readonly Pool[], restSeconds: number): Promise<NicPlace[]> {
  const places = new Map<string, NewNic['place']>()
  // In one order, so that two who want addresses of the same networks do not wait for each other.
  for (const { id, name, cidr, ranges, kept } of pools.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const address = await op.nics.freeAddress(id, ranges)
    if (address === null)
      throw kept === null
        ? exhausted(name, restSeconds)
        : takenFault(messageOf('nic.what.address', { address: kept, network: name }), 'ip', null)
    places.set(id, { networkId: id, cidr, address })
  }
  return pools.map(({ kind, id }) => ({ kind, place: places.get(id) ?? null }))
}
