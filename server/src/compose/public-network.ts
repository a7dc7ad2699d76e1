import { type PolledValue } from '../engine/kube/poll-value.ts'
import { followUplink } from '../cluster/node/follow-uplink.ts'
import { type Cluster } from '../cluster/kubevirt-cluster.ts'
import { type WatchedKind } from '../engine/kube/watch/watch.ts'
import { type NodeReader } from '../cluster/reader.ts'
import { type UplinkBridge, uplinkRefusal } from '../domain/network/node.ts'
import {
  type PublicNetworkState,
  activePublicNetwork,
} from '../domain/network/public-network-state.ts'
import { keepApplied } from '../engine/reconcile/keep-applied.ts'
import { type LeaderContext, startLeaderTask } from '../engine/reconcile/leader.ts'
import { publicNetworkApplier } from '../reconcile/cluster/public-network.ts'
import { putUplinkBridge } from '../reconcile/cluster/uplink-bridge.ts'
import { type Stoppable } from '../runtime/clock.ts'
import { type Config, ConfigError, usualPublicBridge } from '../runtime/config/config.ts'
import { type StartupContext } from './startup-context.ts'
import { messageOf } from '../engine/model/message.ts'

/**
 * Starts the tasks that create the public network and its bridge on the nodes. Only the leader runs
 * them, for all replicas.
 */
export function publicNetworkTasks(
  leader: LeaderContext,
  { config, cluster }: { config: Config; cluster: Cluster },
): Stoppable[] {
  const { clock, log } = leader
  const { enabled, bridge } = config.platform.networking.public
  const uplinkBridge = uplinkBridgeOf(config)
  const mtu = config.network.mtu ?? 1500
  const maintained = (
    name: string,
    put: () => Promise<void>,
    watched: readonly WatchedKind[] = [],
  ): Stoppable =>
    startLeaderTask({
      ...leader,
      name,
      run: (_term, signal) =>
        keepApplied({ what: `the ${name}`, put, watched, cluster, clock, log }, signal),
    })
  return [
    // Without an enabled public network, nothing is created.
    ...(enabled
      ? [
          maintained(
            'public network',
            publicNetworkApplier(cluster.writer, { bridge: bridge.name ?? usualPublicBridge, mtu }),
          ),
        ]
      : []),
    maintained(
      'bridge over the uplink',
      () => putUplinkBridge(cluster, uplinkBridge && { ...uplinkBridge, mtu }),
      ['hostBridge'],
    ),
  ]
}

/** Returns null when no uplink is configured. */
function uplinkBridgeOf({ platform }: Pick<Config, 'platform'>): UplinkBridge | null {
  const { enabled, uplink, bridge } = platform.networking.public
  return enabled && uplink !== null ? { uplink, bridge: bridge.name ?? usualPublicBridge } : null
}

const unknown: PublicNetworkState = {
  state: 'creating',
  stateReason: messageOf('network.hosts_silent'),
}

/**
 * Returns the state of the public network. Without an uplink the operator creates the bridge, and
 * Berth assumes that it exists.
 */
export function publicNetworkStateOf(
  { config, clock, log, stop }: StartupContext,
  reader: NodeReader,
): () => PublicNetworkState {
  const uplinkBridge = uplinkBridgeOf(config)
  if (!uplinkBridge) return () => activePublicNetwork
  const followed: PolledValue<PublicNetworkState> = followUplink({
    uplink: uplinkBridge,
    reader,
    clock,
    log,
  })
  stop.onStop('uplink', () => followed.stop())
  return () => followed.current() ?? unknown
}

/**
 * Refuses to start with an uplink through which the nodes themselves are reached. If the cluster
 * does not answer, the check is repeated before the bridge is created.
 */
export async function refuseNodeUplink(
  { config, log }: StartupContext,
  reader: NodeReader,
): Promise<void> {
  const uplinkBridge = uplinkBridgeOf(config)
  if (!uplinkBridge) return
  const nodes = await reader.listNodes().catch((error: unknown) => {
    log.warn('public_network.uplink_check_failed', {
      uplink: uplinkBridge.uplink,
      error,
      effect:
        'Berth starts, and checks again before it creates the bridge that uses this interface',
      remedy: 'none, unless it repeats: check the API server, and the right of Berth to list nodes',
    })
    return []
  })
  const refusal = uplinkRefusal(nodes, uplinkBridge)
  if (refusal === null) return
  throw new ConfigError(
    `platform.networking.public.uplink: ${refusal.toString()}; name another interface, or make a bridge on every node yourself and name only platform.networking.public.bridge.name.`,
  )
}
