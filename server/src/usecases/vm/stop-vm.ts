import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'

/**
 * Asks a machine to shut down; its disks stay. Forced, it is off at once, as if its plug had been
 * pulled. A stop that is under way already becomes a forced one, and stays the one promise.
 */
export async function stopVm(
  op: Op,
  asked: NamedVm & { force?: boolean | null },
): Promise<VmAnswer> {
  const forced = asked.force ?? false
  const { row, underWay } = await ownVm(op, asked, {
    action: forced ? 'forceStop' : 'stop',
    kind: 'stop_vm',
  })
  if (!underWay || (forced && !row.forced)) op.vms.askPower(row, 'off', forced)
  return answerWith(op, row, 'stop_vm')
}
