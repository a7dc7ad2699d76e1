import { abbreviatedList } from '../../engine/model/abbreviated-list.ts'
import { type NetState } from '../vpc/vpc.ts'
import {
  type ObservedNode,
  type ObservedNodeBridge,
  type UplinkBridge,
  nodesWithout,
  uplinkRefusal,
} from './node.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** The state of the public network, and its obstacle. */
export interface PublicNetworkState {
  state: Exclude<NetState, 'deleting'>
  stateReason: Message | null
}

/** The bridge is on every node, or the operator sets it up outside Berth. */
export const activePublicNetwork: PublicNetworkState = { state: 'active', stateReason: null }

/**
 * Derives the state of the public network from the nodes. `observed` is null until Berth has
 * requested the bridge.
 */
export function publicNetworkStateFrom(
  desired: UplinkBridge,
  observed: ObservedNodeBridge | null,
  nodes: readonly ObservedNode[],
): PublicNetworkState {
  const refusal = uplinkRefusal(nodes, desired)
  if (refusal)
    return { state: 'failed', stateReason: messageOf('network.uplink_refused', { why: refusal }) }
  const { bridge, uplink } = desired
  const missing = nodesWithout(nodes, desired)
  if (observed?.isDegraded)
    return {
      state: 'failed',
      stateReason: messageOf('network.bridge_failed', {
        bridge,
        uplink,
        hosts: missing.length > 0 ? abbreviatedList(missing) : messageOf('network.every_host'),
      }),
    }
  if (observed?.isAvailable) return activePublicNetwork
  return {
    state: 'creating',
    stateReason:
      missing.length > 0
        ? messageOf('network.bridge_missing', { bridge, uplink, hosts: abbreviatedList(missing) })
        : messageOf('network.bridge_coming', { bridge, uplink }),
  }
}
