import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { blockFromText, blocks } from '../network/block.ts'
import { guestRange } from '../network/free-block.ts'
import { type NetworkView } from '../network/network.ts'

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
    throw invalid('networkIds', 'must name each network once: a VM has one NIC in it')
  if (ids.length > mostNetworks) throw invalid('networkIds', `must be at most ${mostNetworks}`)
  if (ids.length === 0 && podNetwork === false && !publicIp)
    throw invalid('networkIds', 'must name one at least, or the VM would have no NIC at all')
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
    throw new Fault('wrong_state', `Network ${name} is being deleted; choose another network.`)
  if (state === 'failed')
    throw new Fault(
      'wrong_state',
      `Network ${name} is not ready: ${stateReason ?? ''} Choose another network.`,
    )
}

/** A guest with these addresses on two sides would not know where they are. */
function mustNotMeetPodNic({ name, cidr }: Joined): void {
  const block = blockFromText(cidr)
  const own = guestRange().find((range) => block && blocks.overlap(range, block))
  if (!own) return
  const sentence = `Network ${name} overlaps ${blocks.text(own)}, which every guest has on the cluster's own network; leave that out with podNetwork: false, or choose another network.`
  throw new Fault('cidr_overlap', sentence)
}

/** No address is left for another NIC. */
export function exhausted(network: string, restSeconds: number): Fault {
  const rest =
    restSeconds === 0
      ? ''
      : ` An address that was given back rests for ${Math.ceil(restSeconds / 60)} min first.`
  const sentence = `Network ${network} has no address left; delete a VM that is in it, or choose another network.${rest}`
  return new Fault('addresses_exhausted', sentence)
}
