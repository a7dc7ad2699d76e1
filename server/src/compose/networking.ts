import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { type Capabilities } from '../cluster/capabilities/capabilities.ts'
import { clusterUnread } from '../domain/cluster-feature/cluster-feature.ts'
import { blockFromText, blocks } from '../domain/network/block.ts'
import { type DriverObstacles, chooseDriver, mapDrivers } from '../domain/network/driver.ts'
import { type PublicNetwork } from '../domain/network/public-network.ts'
import {
  type PublicNetworkState,
  activePublicNetwork,
} from '../domain/network/public-network-state.ts'
import { gatewayOf } from '../domain/network/rules.ts'
import { type NetworkSettings } from '../domain/network/network-settings.ts'
import { type TakenBlock, type BlockOwner } from '../domain/network/plan.ts'
import { rangesFor, withoutHeld } from '../domain/network/special-ranges.ts'
import { type EgressBounds } from '../domain/security-group/egress-bounds.ts'
import { type FirewallSettings } from '../reconcile/vm-firewall/firewall-settings.ts'
import { type Config } from '../runtime/config/config.ts'

/**
 * Derives the settings for networks from the configuration and from what the cluster can do now.
 */
export function networkingOf(
  config: Config,
  capabilities: Pick<FollowedCapabilities, 'current'>,
  publicNetworkState: () => PublicNetworkState = () => activePublicNetwork,
): NetworkSettings {
  const { pods, services, nodes } = config.network.reserved
  const { cidr } = config.platform.networking.public
  const boundsAfter = egressBoundsByReading(config.network)
  return {
    addressRestSeconds: config.network.addressRestSeconds,
    joinsDefaultNetwork: config.compat.virtfoundry,
    publicNetwork: publicNetworkOf(config),
    publicNetworkState,
    supportsFilters: () => capabilities.current()?.features.networkFilters.available ?? null,
    egressBounds: () => boundsAfter(capabilities.current()),
    nicHotplugObstacles: () => capabilities.current()?.nicObstacles ?? null,
    reserved: [
      ...takenBy('public', cidr === null ? [] : [cidr]),
      ...takenBy('pods', pods),
      ...takenBy('services', services),
      ...takenBy('nodes', nodes),
    ],
    chooseDriver() {
      const found = capabilities.current()
      if (found) return chooseDriver(config.network.driver, lackingIn(found))
      throw clusterUnread()
    },
  }
}

type Reading = Pick<Capabilities, 'ownAddresses'>

/**
 * Returns a function that tells the bounds after a reading of the cluster. They are computed once
 * for each reading, because every firewall asks for them and they take milliseconds with many
 * nodes.
 */
function egressBoundsByReading(
  network: Config['network'],
): (found: Reading | null) => EgressBounds | null {
  let last: { found: Reading; bounds: EgressBounds } | null = null
  return (found) => {
    if (!found) return null
    if (last?.found !== found) last = { found, bounds: egressBoundsOf(network, found) }
    return last.bounds
  }
}

/**
 * Returns where VMs and importers cannot send. The operator's networks hold most addresses that the
 * cluster shows, so that a new node there changes no policy.
 */
function egressBoundsOf(
  { reserved, closed, dns }: Config['network'],
  { ownAddresses }: Reading,
): EgressBounds {
  const { pods, services, nodes } = reserved
  const networks = [...pods, ...services, ...nodes, ...closed, ...ownAddresses]
  return { closed: withoutHeld([...rangesFor('platform'), ...networks]), pods, dns }
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

/** Returns what the firewalls of VMs depend on; null while the cluster has not been read. */
export function firewallSettingsOf({
  supportsFilters,
  egressBounds,
}: NetworkSettings): FirewallSettings | null {
  const [takesFilters, bounds] = [supportsFilters(), egressBounds()]
  return takesFilters === null || bounds === null ? null : { takesFilters, bounds }
}

const lackingIn = ({ networks }: Capabilities): DriverObstacles =>
  mapDrivers((driver) => networks[driver].reason)

const takenBy = (by: BlockOwner, cidrs: readonly string[]): TakenBlock[] =>
  cidrs.flatMap((cidr) => {
    const block = blockFromText(cidr)
    return block ? [{ ...block, by, name: null }] : []
  })
