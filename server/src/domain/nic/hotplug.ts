import { type NetworkDriver, hasSubnet } from '../network/driver.ts'
import { type VmState } from '../vm/state.ts'
import { type ChangeApplies } from '../vm/vm.ts'
import {
  type NicWaitReason,
  type NicHotplugObstacles,
  type MigrationObstacle,
} from './wait-reasons.ts'

/*
 * A running VM gets a NIC by live migration to a node where its new pod has the NIC. It releases a
 * NIC without migration. A change that is impossible at runtime waits for the next start and shows
 * the reason. A change that did not happen in time waits too: the VM's spec has it already, and the
 * next start applies it.
 */

/** How long a change is tried while the VM runs. */
export const nicHotplugMinutes = 5

export interface NicChange {
  applies: ChangeApplies
  /** The reason for waiting; null when the change does not wait for a start. */
  waitsFor: NicWaitReason | null
}

interface ChangeContext {
  state: VmState
  /** The obstacles of the platform; null while they are unknown. */
  obstacles: NicHotplugObstacles | null
}

interface AttachContext extends ChangeContext {
  migrationObstacle: MigrationObstacle | null
  driver: NetworkDriver | null
}

/** Returns when a new NIC takes effect. */
export const nicAttachment = ({
  migrationObstacle,
  driver,
  ...context
}: AttachContext): NicChange =>
  changeOf(context, ({ attach }) => (hasSubnet(driver) ? 'network' : (attach ?? migrationObstacle)))

/** Returns when a detachment takes effect. It needs no migration. */
export const nicDetachment = (context: ChangeContext): NicChange =>
  changeOf(context, ({ detach }) => detach)

function changeOf(
  { state, obstacles }: ChangeContext,
  obstacleIn: (obstacles: NicHotplugObstacles) => NicWaitReason | null,
): NicChange {
  if (state === 'Stopped') return { applies: 'at_once', waitsFor: null }
  const waitsFor =
    state !== 'Running' ? 'not_running' : obstacles === null ? 'unknown' : obstacleIn(obstacles)
  return { applies: waitsFor === null ? 'while_running' : 'next_start', waitsFor }
}
