import { type NetworkView } from '../../domain/network/network.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { publicNetwork, requirePublicNetwork } from '../../domain/network/public-network.ts'
import { type AddressRange, addressesForVms } from '../../domain/nic/addresses.ts'
import {
  type InheritedNics,
  requireAddressIn,
  addressTakenFault,
} from '../../domain/nic/inherited-nics.ts'
import {
  type NicPurpose,
  type NicsRequest,
  addressesExhausted,
  mustBeJoinable,
  requireNetworkIds,
} from '../../domain/nic/rules.ts'
import { type NewNic } from '../../store/nic/nic.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

export type NicSettings = Pick<
  NetworkSettings,
  'addressRestSeconds' | 'publicNetwork' | 'publicNetworkState'
>

interface AllocationRequest {
  tenantId: string
  request: NicsRequest
  settings: NicSettings
  purpose: NicPurpose
  /** The NICs of a snapshot that are reused. Null when all are new. */
  former?: InheritedNics | null
}

export type AllocatedNic = Pick<NewNic, 'kind' | 'networkAddress'>

/**
 * Allocates free addresses in the requested networks, in their order, with the public network
 * first.
 */
export async function allocateAddresses(
  op: Op,
  { tenantId, settings, former, purpose, ...allocation }: AllocationRequest,
): Promise<AllocatedNic[]> {
  const request = { ...allocation.request, purpose }
  const pools = [...publicPools(request, settings), ...(await privatePools(op, tenantId, request))]
  return allocateIn(
    op,
    pools.map((pool) => narrowed(pool, former?.addresses.get(pool.id) ?? null)),
    settings.addressRestSeconds,
  )
}

/** A pool of addresses. */
interface Pool {
  kind: 'private' | 'public'
  id: string
  name: string
  cidr: string | null
  ranges: readonly AddressRange[]
  /** The address that must be used. Null when any address will do. */
  fixedAddress: string | null
}

const narrowed = (pool: Omit<Pool, 'fixedAddress'>, fixedAddress: string | null): Pool => ({
  ...pool,
  fixedAddress,
  ranges: fixedAddress === null ? pool.ranges : requireAddressIn(pool, fixedAddress),
})

type PurposefulRequest = NicsRequest & { purpose: NicPurpose }

function publicPools(
  request: PurposefulRequest,
  settings: NicSettings,
): Omit<Pool, 'fixedAddress'>[] {
  if (!request.publicIp) return []
  const { id, name } = publicNetwork
  const { cidr, pool: ranges } = requirePublicNetwork(settings.publicNetwork, request.purpose)
  mustBeJoinable({ name, cidr, ...settings.publicNetworkState() }, request)
  return [{ kind: 'public', id, name, cidr: null, ranges }]
}

async function privatePools(
  op: Op,
  tenantId: string,
  request: PurposefulRequest,
): Promise<Omit<Pool, 'fixedAddress'>[]> {
  const ids = requireNetworkIds(request)
  const locked = new Map(
    (await op.networks.hold(tenantId, ids)).map((network) => [network.id, network]),
  )
  return ids.flatMap((id) => {
    const network = locked.get(id)
    return network ? [poolOf(network, request)] : []
  })
}

function poolOf(network: NetworkView, request: PurposefulRequest): Omit<Pool, 'fixedAddress'> {
  mustBeJoinable(network, request)
  return {
    kind: 'private',
    id: network.id,
    name: network.name,
    cidr: network.cidr,
    ranges: [addressesForVms(network.cidr)],
  }
}

async function allocateIn(
  op: Op,
  pools: readonly Pool[],
  restSeconds: number,
): Promise<AllocatedNic[]> {
  const allocated = new Map<string, NewNic['networkAddress']>()
  // The fixed order prevents deadlocks between transactions that need addresses of the same
  // networks.
  for (const { id, name, cidr, ranges, fixedAddress } of pools.toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  )) {
    const address = await op.nics.freeAddress(id, ranges)
    if (address === null)
      throw fixedAddress === null
        ? addressesExhausted(name, restSeconds)
        : addressTakenFault(
            messageOf('nic.what.address', { address: fixedAddress, network: name }),
            messageOf('nic.choice.ip'),
            null,
          )
    allocated.set(id, { networkId: id, cidr, address })
  }
  return pools.map(({ kind, id }) => ({ kind, networkAddress: allocated.get(id) ?? null }))
}
