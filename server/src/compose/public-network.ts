import { type Followed } from '../engine/kube/follow.ts'
import { followUplink } from '../cluster/host/follow-uplink.ts'
import { type Cluster } from '../cluster/kubevirt-cluster.ts'
import { type WatchedKind } from '../engine/kube/watch/watch.ts'
import { type HostReader } from '../cluster/reader.ts'
import { type UplinkBridge, uplinkRefusal } from '../domain/network/host.ts'
import { type PublicNetworkState, open } from '../domain/network/public-network-state.ts'
import { keepApplied } from '../engine/reconcile/keep-applied.ts'
import { type Office, startLeaderTask } from '../engine/reconcile/leader.ts'
import { putPublicNetwork } from '../reconcile/cluster/public-network.ts'
import { putUplinkBridge } from '../reconcile/cluster/uplink-bridge.ts'
import { type Stoppable, systemClock } from '../runtime/clock.ts'
import { type Config, ConfigError, usualPublicBridge } from '../runtime/config/config.ts'
import { type Starting } from './starting.ts'
import { messageOf } from '../engine/model/message.ts'

/** What one replica does about the public network for all. */
export function publicNetworkTasks(
  office: Office,
  { config, cluster }: { config: Config; cluster: Cluster },
): Stoppable[] {
  const { clock, log } = office
  const { enabled, bridge } = config.platform.networking.public
  const asked = uplinkBridgeOf(config)
  const mtu = config.network.mtu ?? 1500
  const kept = (
    name: string,
    put: () => Promise<void>,
    watched: readonly WatchedKind[] = [],
  ): Stoppable =>
    startLeaderTask({
      ...office,
      name,
      run: (_term, signal) =>
        keepApplied({ what: `the ${name}`, put, watched, cluster, clock, log }, signal),
    })
  return [
    // Nothing is made where it is not enabled.
    ...(enabled
      ? [
          kept('public network', () =>
            putPublicNetwork(cluster.writer, { bridge: bridge.name ?? usualPublicBridge, mtu }),
          ),
        ]
      : []),
    kept('bridge over the uplink', () => putUplinkBridge(cluster, asked && { ...asked, mtu }), [
      'hostBridge',
    ]),
  ]
}

/** Null where no uplink is named. */
function uplinkBridgeOf({ platform }: Pick<Config, 'platform'>): UplinkBridge | null {
  const { enabled, uplink, bridge } = platform.networking.public
  return enabled && uplink !== null ? { uplink, bridge: bridge.name ?? usualPublicBridge } : null
}

const unknown: PublicNetworkState = {
  state: 'creating',
  stateReason: messageOf('network.hosts_silent'),
}

/** Where no uplink is named, its bridge is the operator's to make, and believed to be there. */
export function publicNetworkStateOf(
  { config, log, stop }: Starting,
  reader: HostReader,
): () => PublicNetworkState {
  const asked = uplinkBridgeOf(config)
  if (!asked) return () => open
  const followed: Followed<PublicNetworkState> = followUplink({
    asked,
    reader,
    clock: systemClock,
    log,
  })
  stop.onStop('uplink', () => followed.stop())
  return () => followed.current() ?? unknown
}

/**
 * Refuses to start with an uplink by which the hosts themselves are reached. A cluster that says
 * nothing is asked again before anything is done.
 */
export async function mustSpareHosts({ config, log }: Starting, reader: HostReader): Promise<void> {
  const asked = uplinkBridgeOf(config)
  if (!asked) return
  const hosts = await reader.listHosts().catch((error: unknown) => {
    log.info('the hosts did not say by which interfaces they are reached', { error })
    return []
  })
  const refusal = uplinkRefusal(hosts, asked)
  if (refusal === null) return
  throw new ConfigError(
    `platform.networking.public.uplink: ${refusal.toString()}; name another interface, or make a bridge on every node yourself and name only platform.networking.public.bridge.name.`,
  )
}
