import { type NetworkDriver, hasSubnet } from '../network/driver.ts'
import { type VmState } from '../vm/state.ts'
import { type ChangeApplies } from '../vm/vm.ts'
import { type ColdReason, type NicHindrances, type StayReason } from './cold.ts'

/*
 * A guest that runs gets a NIC by moving to a host where its pod has it, and lets go of one where
 * it is. What cannot be done so waits for the next start, and says what for. So does what was tried
 * and did not come about in time: the machine has been told, and that is what its next start goes
 * by.
 */

/** How long it is tried while the guest runs. */
export const liveNicMinutes = 5

export interface NicChange {
  applies: ChangeApplies
  /** Null where it does not wait for a start. */
  waitsFor: ColdReason | null
}

interface Around {
  state: VmState
  /** Null while the cluster has not told. */
  hindrances: NicHindrances | null
}

interface Joining extends Around {
  stays: StayReason | null
  driver: NetworkDriver | null
}

/** When a NIC comes to its guest. */
export const nicAttachment = ({ stays, driver, ...around }: Joining): NicChange =>
  changeOf(around, ({ attach }) => (hasSubnet(driver) ? 'network' : (attach ?? stays)))

/** When a NIC leaves its guest: for that nothing has to move. */
export const nicDetachment = (around: Around): NicChange => changeOf(around, ({ detach }) => detach)

function changeOf(
  { state, hindrances }: Around,
  waitsIn: (found: NicHindrances) => ColdReason | null,
): NicChange {
  if (state === 'Stopped') return { applies: 'at_once', waitsFor: null }
  const waitsFor =
    state !== 'Running' ? 'not_running' : hindrances === null ? 'unknown' : waitsIn(hindrances)
  return { applies: waitsFor === null ? 'while_running' : 'next_start', waitsFor }
}
