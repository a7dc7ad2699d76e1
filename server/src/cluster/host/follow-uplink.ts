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

/** How far the hosts are with the bridge of the public network. */
export const followUplink = ({
  asked,
  reader,
  clock,
  log,
  periodMs = 5_000,
}: FollowParts): Followed<PublicNetworkState> =>
  follow({
    look: () => lookAt(reader, asked),
    clock,
    periodMs,
    onChange: (found) => log.info('the bridge of the public network', { ...found }),
    onFailure: (error) =>
      log.warn('the hosts did not say how far they are with the bridge of the public network', {
        error,
      }),
  })

/** All hosts are asked, which is much to read, only as long as something is missing. */
async function lookAt(reader: HostReader, asked: UplinkBridge): Promise<PublicNetworkState> {
  try {
    const seen = await reader.getHostBridge({ name: hostBridgeName })
    if (seen?.isAvailable && !seen.isDegraded) return open
    return publicNetworkStateFrom(asked, seen, await reader.listHosts())
  } catch (error) {
    // Nobody sets up hosts here, or not for us to see: the bridge is the operator's, as it is where
    // no uplink is named.
    if (error instanceof ClusterError && ['not_served', 'not_permitted'].includes(error.trouble))
      return open
    throw error
  }
}
