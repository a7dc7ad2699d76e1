import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { blockFromText, blocks } from '../network/block.ts'
import { guestRange } from '../network/free-block.ts'
import { type NetworkView } from '../network/network.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface AskedNics {
  /** One NIC in each, in this order. */
  networkIds?: readonly string[] | null
  /**
   * First of all one on the cluster's own network, by which it reaches out; there is one unless
   * said otherwise.
   */
  podNetwork?: boolean | null
  /** One in the public network. */
  publicIp?: boolean | null
}

export const mostNetworks = 8

/** The networks of a machine in the order of its NICs, each once. */
export function requireNetworkIds({ networkIds, podNetwork, publicIp }: AskedNics): string[] {
  const ids = (networkIds ?? []).map((id) => id.toLowerCase())
  if (new Set(ids).size < ids.length)
    throw invalid('networkIds', messageOf('nic.networks_repeated'))
  if (ids.length > mostNetworks)
    throw invalid('networkIds', messageOf('field.at_most', { most: mostNetworks }))
  if (ids.length === 0 && podNetwork === false && !publicIp)
    throw invalid('networkIds', messageOf('nic.none'))
  return ids
}

type Joined = Pick<NetworkView, 'name' | 'cidr' | 'state' | 'stateReason'>

/** Refuses a network that the machine cannot be in. One that is still being made is waited for. */
export function mustBeJoinable(
  network: Joined,
  { podNetwork }: Pick<AskedNics, 'podNetwork'>,
): void {
  mustTakeVms(network)
  if (podNetwork !== false) mustNotMeetPodNic(network)
}

function mustTakeVms({ name, state, stateReason }: Joined): void {
  if (state === 'deleting')
    throw new Fault('wrong_state', messageOf('network.deleting_choose', { name }))
  if (state === 'failed')
    throw new Fault(
      'wrong_state',
      messageOf('network.not_ready', { name, reason: stateReason ?? '' }),
    )
}

/** A guest with these addresses on two sides would not know where they are. */
function mustNotMeetPodNic({ name, cidr }: Joined): void {
  const block = blockFromText(cidr)
  const own = guestRange().find((range) => block && blocks.overlap(range, block))
  if (!own) return
  const sentence = messageOf('network.overlaps_guests', { name, block: blocks.text(own) })
  throw new Fault('cidr_overlap', sentence)
}

/** No address is left for another NIC. */
export function exhausted(network: string, restSeconds: number): Fault {
  const sentence =
    restSeconds === 0
      ? messageOf('network.addresses_exhausted', { name: network })
      : messageOf('network.addresses_rest', {
          name: network,
          minutes: Math.ceil(restSeconds / 60),
        })
  return new Fault('addresses_exhausted', sentence)
}
