import { type UplinkBridge, hostBridgeName } from '../../domain/network/host.ts'
import {
  type PublicNetworkState,
  open,
  publicNetworkStateFrom,
} from '../../domain/network/public-network-state.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Followed, follow } from '../../engine/kube/follow.ts'
import { type HostReader } from '../reader.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'

interface FollowParts {
  asked: UplinkBridge
  reader: HostReader
  clock: Clock
  log: Log
  periodMs?: number
}

/** Follows how far the nodes are with the bridge of the public network. */
export const followUplink = ({
  asked,
  reader,
  clock,
  log,
  periodMs = 5_000,
}: FollowParts): Followed<PublicNetworkState> =>
  follow({
    look: () => readState(reader, asked),
    clock,
    periodMs,
    onChange: (state) => log.info('public_network.bridge_changed', { ...state }),
    onFailure: (error) => log.warn('public_network.bridge_unreadable', { error }),
  })

/** Lists all nodes, which is expensive, only while the bridge is not ready. */
async function readState(reader: HostReader, uplink: UplinkBridge): Promise<PublicNetworkState> {
  try {
    const observed = await reader.getHostBridge({ name: hostBridgeName })
    if (observed?.isAvailable && !observed.isDegraded) return open
    return publicNetworkStateFrom(uplink, observed, await reader.listHosts())
  } catch (error) {
    // NMState is not installed, or Berth may not read its objects. The operator sets up the bridge,
    // as without a configured uplink.
    if (error instanceof ClusterError && ['not_served', 'not_permitted'].includes(error.trouble))
      return open
    throw error
  }
}
