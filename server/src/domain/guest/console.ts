import { type VmState } from '../vm/state.ts'
import { type Power } from '../vm/vm.ts'

export const consoleKinds = ['serial', 'vnc'] as const
export type ConsoleKind = (typeof consoleKinds)[number]

/** The subprotocol of the socket: bytes in binary frames without channels, as in KubeVirt. */
export const consoleProtocol = 'plain.kubevirt.io'

/** Reasons why a console cannot be opened or was closed. */
export type ConsoleEnd =
  'unauthorized' | 'forbidden' | 'gone' | 'stopped' | 'moved' | 'taken' | 'lost' | 'tryLater'

interface ConsoleVm {
  state: VmState
  wantedPower: Power
  deleting: boolean
}

const moving: readonly VmState[] = ['Migrating', 'Restarting', 'Starting', 'Provisioning']
// Stopping is not included: without a stop request, the VM may be restarting.
const down: readonly VmState[] = ['Stopped', 'Error', 'Lost', 'Failed']

/**
 * Returns why the console connection of a VM was closed, according to its row. Null while the row
 * shows no reason; the cluster never reports one.
 */
export function consoleEndOf(
  vm: ConsoleVm | null,
): Extract<ConsoleEnd, 'gone' | 'stopped' | 'moved'> | null {
  if (!vm || vm.deleting) return 'gone'
  if (vm.wantedPower === 'off' || down.includes(vm.state)) return 'stopped'
  return moving.includes(vm.state) ? 'moved' : null
}
