import { someOf } from '../../engine/model/some-of.ts'
import { type NetState } from '../vpc/vpc.ts'
import {
  type SeenHost,
  type SeenHostBridge,
  type UplinkBridge,
  hostsWithout,
  uplinkRefusal,
} from './host.ts'

/** Whether VMs can be on the public network, and what hinders it. */
export interface PublicNetworkState {
  state: Exclude<NetState, 'deleting'>
  stateReason: string | null
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
  if (refusal) return { state: 'failed', stateReason: `${refusal}.` }
  const without = hostsWithout(hosts, asked)
  if (seen?.isDegraded)
    return {
      state: 'failed',
      stateReason: `The bridge ${asked.bridge} could not be made over ${asked.uplink} on ${someOf(without) || 'every host'}; see whether they all have that interface.`,
    }
  if (seen?.isAvailable) return open
  const where = without.length > 0 ? ` Without it are ${someOf(without)}.` : ''
  return {
    state: 'creating',
    stateReason: `The bridge ${asked.bridge} is being made over ${asked.uplink} on every host.${where}`,
  }
}
