import { Fault } from '../../engine/model/fault.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * How private networks are made: tagged frames on a bridge of the nodes, or a switch of the
 * cluster's own network, of which there are two kinds.
 */
const drivers = {
  'bridge-vlan': { usualMtu: 1500, filters: false, hasSubnet: false },
  // An overlay's own headers take some of what the nodes' network carries.
  'ovn-layer2': { usualMtu: 1400, filters: true, hasSubnet: false },
  'kube-ovn': { usualMtu: 1400, filters: false, hasSubnet: true },
} as const satisfies Record<string, DriverTraits>

/** How a driver differs from the others, for every layer. */
interface DriverTraits {
  readonly usualMtu: number
  /** Its switch enforces the filters itself. A bridge passes frames by any filter in a pod. */
  readonly filters: boolean
  /** A subnet in the cluster is told of the addresses, when a run begins. */
  readonly hasSubnet: boolean
}

export type NetworkDriver = keyof typeof drivers
// Object.keys gives strings; the table has no other keys than its drivers.
export const networkDrivers = Object.keys(drivers) as readonly NetworkDriver[]

export const traitsOf = (driver: NetworkDriver): DriverTraits => drivers[driver]
/** False also where the driver is not decided yet. */
export const hasSubnet = (driver: NetworkDriver | null): boolean =>
  driver !== null && drivers[driver].hasSubnet

/** The drivers whose networks are subnets in the cluster. */
export const driversWithSubnet = networkDrivers.filter(hasSubnet)

export const mapDrivers = <Value>(
  valueOf: (driver: NetworkDriver) => Value,
): Record<NetworkDriver, Value> =>
  // `Object.fromEntries` forgets the keys, which are those of the table.
  Object.fromEntries(networkDrivers.map((driver) => [driver, valueOf(driver)])) as Record<
    NetworkDriver,
    Value
  >

/** What an operator chose. */
export type DriverChoice = NetworkDriver | 'auto'

/** Why the cluster lacks what a driver needs; null when it has it. */
export type Lacking = Readonly<Record<NetworkDriver, Message | null>>

// A switch of the cluster's own needs nothing of the nodes; a bridge has to be there on each of
// them, and nobody can see that from here.
const preferred: readonly NetworkDriver[] = ['ovn-layer2', 'kube-ovn', 'bridge-vlan']

/**
 * How networks are made in this cluster from now on; what is made already stays as it is. Throws
 * when there is no way.
 */
export function chooseDriver(choice: DriverChoice, lacking: Lacking): NetworkDriver {
  if (choice !== 'auto') {
    if (lacking[choice] === null) return choice
    throw new Fault(
      'feature_disabled',
      messageOf('network.driver_lacking', { driver: choice, reason: lacking[choice] }),
    )
  }
  const found = preferred.find((driver) => lacking[driver] === null)
  if (found) return found
  const reason = lacking['bridge-vlan'] ?? ''
  throw new Fault('feature_disabled', messageOf('network.drivers_lacking', { reason }))
}
