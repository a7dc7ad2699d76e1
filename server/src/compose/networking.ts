import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { type Capabilities } from '../cluster/capabilities/capabilities.ts'
import { blockFromText, blocks } from '../domain/network/block.ts'
import { type Lacking, chooseDriver, mapDrivers } from '../domain/network/driver.ts'
import { type PublicNetwork } from '../domain/network/public-network.ts'
import { type PublicNetworkState, open } from '../domain/network/public-network-state.ts'
import { gatewayOf } from '../domain/network/rules.ts'
import { type Networking } from '../domain/network/networking.ts'
import { type Taken, type Taker } from '../domain/network/plan.ts'
import { Fault } from '../engine/model/fault.ts'
import { type Config } from '../runtime/config/config.ts'
import { messageOf } from '../engine/model/message.ts'

/**
 * Derives the networking settings from the configuration and the current capabilities of the
 * cluster.
 */
export function networkingOf(
  config: Config,
  capabilities: Pick<FollowedCapabilities, 'current'>,
  publicNetworkState: () => PublicNetworkState = () => open,
): Networking {
  const { pods, services, nodes } = config.network.reserved
  const { cidr } = config.platform.networking.public
  return {
    addressRestSeconds: config.network.addressRestSeconds,
    publicNetwork: publicNetworkOf(config),
    publicNetworkState,
    takesFilters: () => capabilities.current()?.features.networkFilters.available ?? null,
    nicHindrances: () => capabilities.current()?.nicHindrances ?? null,
    reserved: [
      ...takenBy('public', cidr === null ? [] : [cidr]),
      ...takenBy('pods', pods),
      ...takenBy('services', services),
      ...takenBy('nodes', nodes),
    ],
    chooseDriver() {
      const found = capabilities.current()
      if (found) return chooseDriver(config.network.driver, lackingIn(found))
      throw new Fault('cluster_unavailable', messageOf('capability.untold'), {
        retryAfterSeconds: 2,
      })
    },
  }
}

/**
 * Returns the public network. The configuration was validated, so an enabled network is complete.
 * The gateway has the first address.
 */
export function publicNetworkOf(config: Config): PublicNetwork | null {
  const { enabled, cidr, ipPool, dns } = config.platform.networking.public
  const block = cidr === null ? null : blockFromText(cidr)
  return enabled && block
    ? { cidr: blocks.text(block), gateway: gatewayOf(block), pool: ipPool, dns }
    : null
}

const lackingIn = ({ networks }: Capabilities): Lacking =>
  mapDrivers((driver) => networks[driver].reason)

const takenBy = (by: Taker, cidrs: readonly string[]): Taken[] =>
  cidrs.flatMap((cidr) => {
    const block = blockFromText(cidr)
    return block ? [{ ...block, by, name: null }] : []
  })
