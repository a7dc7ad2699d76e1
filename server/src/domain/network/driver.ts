import { Fault } from '../../engine/model/fault.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * How private networks are made: tagged frames on a bridge of the nodes, or a switch of the
 * cluster's own network, of which there are two kinds.
 */
export const networkDrivers = ['bridge-vlan', 'ovn-layer2', 'kube-ovn'] as const
export type NetworkDriver = (typeof networkDrivers)[number]

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
