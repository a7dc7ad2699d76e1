import { type VmState } from '../vm/state.ts'
import { type Power } from '../vm/vm.ts'

export const consoleKinds = ['serial', 'vnc'] as const
export type ConsoleKind = (typeof consoleKinds)[number]

/** What is spoken on the socket: bytes in binary frames, without channels, as KubeVirt does. */
export const consoleProtocol = 'plain.kubevirt.io'

/** Why there is no console, or none any more. */
export type ConsoleEnd =
  'unauthorized' | 'forbidden' | 'gone' | 'stopped' | 'moved' | 'taken' | 'lost' | 'tryLater'

interface LeftVm {
  state: VmState
  wantedPower: Power
  deleting: boolean
}

const moving: readonly VmState[] = ['Migrating', 'Restarting', 'Starting', 'Provisioning']
// Stopping is not among them: a machine that was not asked to stop may be on its way to a restart.
const down: readonly VmState[] = ['Stopped', 'Error', 'Lost']

/**
 * Why the line into a VM was cut, as its row tells; null while the row knows of nothing. The
 * cluster itself never says why.
 */
export function endOfLine(
  vm: LeftVm | null,
): Extract<ConsoleEnd, 'gone' | 'stopped' | 'moved'> | null {
  if (!vm || vm.deleting) return 'gone'
  if (vm.wantedPower === 'off' || down.includes(vm.state)) return 'stopped'
  return moving.includes(vm.state) ? 'moved' : null
}
