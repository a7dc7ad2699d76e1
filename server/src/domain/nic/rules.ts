import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { blockFromText, blocks } from '../network/block.ts'
import { guestRange } from '../network/free-block.ts'
import { type NetworkView } from '../network/network.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NicsRequest {
  /** One NIC in each network, in this order. */
  networkIds?: readonly string[] | null
  /** Adds a first NIC on the cluster network, with the default route. The default is true. */
  podNetwork?: boolean | null
  /** Adds a NIC in the public network. */
  publicIp?: boolean | null
}

export const maxNetworks = 8

/** Validates the networks of a VM, in the order of its NICs and without duplicates. */
export function requireNetworkIds({ networkIds, podNetwork, publicIp }: NicsRequest): string[] {
  const ids = (networkIds ?? []).map((id) => id.toLowerCase())
  if (new Set(ids).size < ids.length)
    throw invalid('networkIds', messageOf('nic.networks_repeated'))
  if (ids.length > maxNetworks)
    throw invalid('networkIds', messageOf('field.at_most_items', { most: maxNetworks }))
  if (ids.length === 0 && podNetwork === false && !publicIp)
    throw invalid('networkIds', messageOf('nic.none'))
  return ids
}

/** The use of new NICs. A clone that keeps MACs or addresses cannot choose its networks. */
export type NicPurpose = 'new_vm' | 'clone' | 'attachment'

type JoinedNetwork = Pick<NetworkView, 'name' | 'cidr' | 'state' | 'stateReason'>

/** Refuses a network that the VM cannot join. The VM waits for a network that is being created. */
export function mustBeJoinable(
  network: JoinedNetwork,
  { podNetwork, purpose }: Pick<NicsRequest, 'podNetwork'> & { purpose: NicPurpose },
): void {
  mustTakeVms(network, purpose)
  if (podNetwork !== false) mustNotMeetPodNic(network)
}

function mustTakeVms({ name, state, stateReason }: JoinedNetwork, purpose: NicPurpose): void {
  const isClone = purpose === 'clone'
  if (state === 'deleting') {
    const key = isClone ? 'network.deleting_of_clone' : 'network.deleting_choose'
    throw new Fault('wrong_state', messageOf(key, { name }))
  }
  if (state === 'failed') {
    const key = isClone ? 'network.not_ready_of_clone' : 'network.not_ready'
    throw new Fault('wrong_state', messageOf(key, { name, reason: stateReason ?? '' }))
  }
}

/**
 * Refuses a network that overlaps KubeVirt's range for guests: a guest with both could not route.
 */
function mustNotMeetPodNic({ name, cidr }: JoinedNetwork): void {
  const block = blockFromText(cidr)
  const own = guestRange().find((range) => block && blocks.overlap(range, block))
  if (!own) return
  const sentence = messageOf('network.overlaps_guests', { name, block: blocks.text(own) })
  throw new Fault('cidr_overlap', sentence)
}

/** Returns the fault for a network without a free address. */
export function addressesExhausted(network: string, restSeconds: number): Fault {
  const sentence =
    restSeconds === 0
      ? messageOf('network.addresses_exhausted', { name: network })
      : messageOf('network.addresses_rest', {
          name: network,
          minutes: Math.ceil(restSeconds / 60),
        })
  return new Fault('addresses_exhausted', sentence)
}
