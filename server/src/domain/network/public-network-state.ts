import { someOf } from '../../engine/model/some-of.ts'
import { type NetState } from '../vpc/vpc.ts'
import {
  type SeenHost,
  type SeenHostBridge,
  type UplinkBridge,
  hostsWithout,
  uplinkRefusal,
} from './host.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Whether VMs can be on the public network, and what hinders it. */
export interface PublicNetworkState {
  state: Exclude<NetState, 'deleting'>
  stateReason: Message | null
}

/** Its bridge is on every host, or is somebody else's to make. */
export const open: PublicNetworkState = { state: 'active', stateReason: null }

/**
 * What the hosts mean for the public network; the bridge is null where nobody has asked for it yet.
 */
export function publicNetworkStateFrom(
  asked: UplinkBridge,
  seen: SeenHostBridge | null,
  hosts: readonly SeenHost[],
): PublicNetworkState {
  const refusal = uplinkRefusal(hosts, asked)
  if (refusal)
    return { state: 'failed', stateReason: messageOf('network.uplink_refused', { why: refusal }) }
  const { bridge, uplink } = asked
  const without = hostsWithout(hosts, asked)
  if (seen?.isDegraded)
    return {
      state: 'failed',
      stateReason: messageOf('network.bridge_failed', {
        bridge,
        uplink,
        hosts: without.length > 0 ? someOf(without) : messageOf('network.every_host'),
      }),
    }
  if (seen?.isAvailable) return open
  return {
    state: 'creating',
    stateReason:
      without.length > 0
        ? messageOf('network.bridge_missing', { bridge, uplink, hosts: someOf(without) })
        : messageOf('network.bridge_coming', { bridge, uplink }),
  }
}
