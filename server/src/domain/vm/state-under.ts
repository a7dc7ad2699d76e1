import { type VmState } from './state.ts'
import { type WishKind } from './wish.ts'

/**
 * The state that a machine is on its way to already: a wish that was accepted counts before it is
 * seen to come true.
 */
export const stateUnder = (wish: WishKind | null, state: VmState): VmState =>
  (wish === null ? null : underWay[wish][state]) ?? state

const underWay: Readonly<Record<WishKind, Partial<Record<VmState, VmState>>>> = {
  start_vm: { Stopped: 'Starting' },
  stop_vm: {
    Provisioning: 'Stopping',
    Starting: 'Stopping',
    Running: 'Stopping',
    Paused: 'Stopping',
    Migrating: 'Stopping',
    Restarting: 'Stopping',
  },
  restart_vm: { Running: 'Restarting', Paused: 'Restarting' },
  pause_vm: { Running: 'Paused' },
  resume_vm: { Paused: 'Running' },
}
