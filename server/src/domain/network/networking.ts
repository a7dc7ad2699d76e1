import { type NicHindrances } from '../nic/cold.ts'
import { type NetworkDriver } from './driver.ts'
import { type PublicNetwork } from './public-network.ts'
import { type PublicNetworkState } from './public-network-state.ts'
import { type Taken } from './plan.ts'

/** What an installation has settled about private networks. */
export interface Networking {
  /** Addresses that no VPC may have. */
  reserved: readonly Taken[]
  /** How networks are made here; throws why none can be. */
  chooseDriver: () => NetworkDriver
  /** How long an address that was given back is given to nobody. */
  addressRestSeconds: number
  /**
   * Whether the cluster takes filters for networks other than its own; null while that is not
   * known.
   */
  takesFilters: () => boolean | null
  /** What keeps NICs from coming to VMs that run; null while that is not known. */
  nicHindrances: () => NicHindrances | null
  /** Null where there is none. */
  publicNetwork: PublicNetwork | null
  /** Where there is one. */
  publicNetworkState: () => PublicNetworkState
}
