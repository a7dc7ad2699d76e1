import { type NicHotplugObstacles } from '../nic/wait-reasons.ts'
import { type NetworkDriver } from './driver.ts'
import { type PublicNetwork } from './public-network.ts'
import { type PublicNetworkState } from './public-network-state.ts'
import { type TakenBlock } from './plan.ts'
import { type EgressBounds } from '../security-group/egress-bounds.ts'

/** The network settings of the installation. */
export interface NetworkSettings {
  /** Address blocks that no VPC may use. */
  reserved: readonly TakenBlock[]
  /** Chooses the driver for new networks; throws when the cluster can run none. */
  chooseDriver: () => NetworkDriver
  /** Seconds before a released address is reused. */
  addressRestSeconds: number
  /**
   * True when the cluster accepts network policies for secondary networks; null while that is
   * unknown.
   */
  supportsFilters: () => boolean | null
  /**
   * The destinations that VMs and importers cannot reach over the cluster network; null while the
   * addresses of the cluster are unknown.
   */
  egressBounds: () => EgressBounds | null
  /** Obstacles to NIC hotplug; null while they are unknown. */
  nicHotplugObstacles: () => NicHotplugObstacles | null
  /**
   * True when a VM joins the default network of its tenant unless the request names networks, or an
   * empty list.
   */
  joinsDefaultNetwork: boolean
  /** The configured public network; null when there is none. */
  publicNetwork: PublicNetwork | null
  /** The state of the public network; only meaningful when one is configured. */
  publicNetworkState: () => PublicNetworkState
}
