import { type UplinkBridge, nodeBridgeName } from '../../domain/network/node.ts'
import {
  type PublicNetworkState,
  activePublicNetwork,
  publicNetworkStateFrom,
} from '../../domain/network/public-network-state.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type PolledValue, pollValue } from '../../engine/kube/poll-value.ts'
import { type NodeReader } from '../reader.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'

interface FollowParts {
  uplink: UplinkBridge
  reader: NodeReader
  clock: Clock
  log: Log
  periodMs?: number
  /** The period while all nodes have the bridge. */
  activeMs?: number
}

/**
 * Polls whether every node has the bridge of the public network. Users see the result as the state
 * of that network.
 */
export const followUplink = ({
  uplink,
  reader,
  clock,
  log,
  periodMs = 5_000,
  activeMs = 15_000,
}: FollowParts): PolledValue<PublicNetworkState> =>
  pollValue({
    read: () => readState(reader, uplink),
    clock,
    periodMs: (found) => (found?.state === 'active' ? activeMs : periodMs),
    onChange: (state, before) =>
      log.info(before ? 'public_network.state_changed' : 'public_network.state_read', { ...state }),
    onFailure: (error) =>
      log.warn('public_network.bridge_read_failed', {
        error,
        effect:
          'users see the last known state of the public network; Berth reads again in seconds',
        remedy: 'none, unless it repeats: check the API server and NMState',
      }),
  })

/** Lists all nodes, which is expensive, only while the bridge is not ready. */
async function readState(reader: NodeReader, uplink: UplinkBridge): Promise<PublicNetworkState> {
  try {
    const observed = await reader.getHostBridge({ name: nodeBridgeName })
    if (observed?.isAvailable && !observed.isDegraded) return activePublicNetwork
    return publicNetworkStateFrom(uplink, observed, await reader.listNodes())
  } catch (error) {
    // NMState is not installed, or Berth may not read its objects. The operator sets up the bridge,
    // as without a configured uplink.
    if (error instanceof ClusterError && ['not_served', 'not_permitted'].includes(error.trouble))
      return activePublicNetwork
    throw error
  }
}
