import { Fault } from '../../engine/model/fault.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * The network drivers: tagged frames on a bridge of the nodes, or one of two kinds of switches of
 * the cluster network.
 */
const drivers = {
  'bridge-vlan': {
    usualMtu: 1500,
    filters: false,
    hasSubnet: false,
    isTagged: true,
    needs: null,
  },
  'ovn-layer2': {
    // The overlay's headers use part of the MTU of the nodes' network.
    usualMtu: 1400,
    filters: true,
    hasSubnet: false,
    isTagged: false,
    needs: { api: 'k8s.ovn.org/v1', product: 'OVN-Kubernetes' },
  },
  'kube-ovn': {
    usualMtu: 1400,
    filters: false,
    hasSubnet: true,
    isTagged: false,
    needs: { api: 'kubeovn.io/v1', product: 'Kube-OVN' },
  },
} as const satisfies Record<string, DriverTraits>

/** The differences between drivers, for all layers. */
interface DriverTraits {
  readonly usualMtu: number
  /** True when its switch enforces filters. A bridge bypasses any filter in the pod. */
  readonly filters: boolean
  /** True when a subnet object in the cluster assigns the addresses at VMI start. */
  readonly hasSubnet: boolean
  /** True when each network has a VLAN tag of its own on the configured bridge. */
  readonly isTagged: boolean
  /** The API that the cluster must serve, and who serves it; null when Multus is enough. */
  readonly needs: { readonly api: string; readonly product: string } | null
}

export type NetworkDriver = keyof typeof drivers
// Object.keys returns strings; the table has no keys other than its drivers.
export const networkDrivers = Object.keys(drivers) as readonly NetworkDriver[]

export const traitsOf = (driver: NetworkDriver): DriverTraits => drivers[driver]
/** False when the driver has no subnet objects or is not chosen yet. */
export const hasSubnet = (driver: NetworkDriver | null): boolean =>
  driver !== null && drivers[driver].hasSubnet

/** The drivers whose networks are subnet objects in the cluster. */
export const driversWithSubnet = networkDrivers.filter(hasSubnet)

export const mapDrivers = <Value>(
  valueOf: (driver: NetworkDriver) => Value,
): Record<NetworkDriver, Value> =>
  // `Object.fromEntries` loses the key type; the keys are those of the table.
  Object.fromEntries(networkDrivers.map((driver) => [driver, valueOf(driver)])) as Record<
    NetworkDriver,
    Value
  >

/** The driver that the operator configured. */
export type DriverChoice = NetworkDriver | 'auto'

/** The reason why the cluster cannot run a driver; null when it can. */
export type DriverObstacles = Readonly<Record<NetworkDriver, Message | null>>

// The cluster's switches need no setup of the nodes. A bridge must exist on each node, and Berth
// cannot check that here.
const fallback: NetworkDriver = 'bridge-vlan'
const preferred: readonly NetworkDriver[] = ['ovn-layer2', 'kube-ovn', fallback]

/**
 * Chooses the driver for new networks; existing networks keep theirs. Throws when the cluster can
 * run none.
 */
export function chooseDriver(choice: DriverChoice, lacking: DriverObstacles): NetworkDriver {
  if (choice !== 'auto') {
    if (lacking[choice] === null) return choice
    throw new Fault(
      'feature_disabled',
      messageOf('network.driver_lacking', { driver: choice, reason: lacking[choice] }),
    )
  }
  const available = preferred.find((driver) => lacking[driver] === null)
  if (available) return available
  const reason = lacking[fallback] ?? ''
  throw new Fault('feature_disabled', messageOf('network.drivers_lacking', { reason }))
}
