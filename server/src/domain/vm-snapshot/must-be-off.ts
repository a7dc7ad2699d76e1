import { Fault } from '../../engine/model/fault.ts'
import { type VmState } from '../vm/state.ts'
import { messageOf } from '../../engine/model/message.ts'

interface RestoredVm {
  name: string
  state: VmState
  vmiUid?: string | null
}

/**
 * Refuses to restore a VM that runs. The VMI of a guest that has just shut itself down may still
 * exist; the restore waits until it is gone.
 */
export function mustBeOff({ name, state, vmiUid }: RestoredVm): void {
  if (vmiUid && state !== 'Stopped')
    throw new Fault('wrong_state', messageOf('vm_snapshot.vm_is_on', { name }))
}
