import { ClusterError, reactions } from '../../engine/kube/cluster-error.ts'
import { type PowerWriter } from '../../cluster/writer.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { type MachineStep } from '../../domain/vm/next-step.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { wishKindOf } from '../../domain/vm/wish.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import * as vmRecord from './vm-record.ts'
import { type AskedVm, type VmUnit } from './vm-record.ts'
import { messageOf } from '../../engine/model/message.ts'

interface Ordering {
  unit: VmUnit
  asked: AskedVm
  seen: SeenVm | null
  cluster: { writer: PowerWriter }
}

/**
 * Tells the cluster what to do with the run that was meant; whether it does so shows at the next
 * look.
 */
export async function orderMachine(
  { unit, asked, seen, cluster }: Ordering,
  step: Extract<MachineStep, { do: 'order' }>,
): Promise<void> {
  const kind = wishKindOf(vmRecord.wishedOf(asked.spec))
  await unit((op, vm) => vmRecord.observe(op, vm, seen))
  try {
    await atFailpoint(stepPoint(kind, 'machine'), () =>
      cluster.writer.powerVm(asked, step.order, { uid: step.uid, instanceUid: step.runUid }),
    )
    await unit((op, vm) => vmRecord.ordered(op, vm, kind))
  } catch (error) {
    if (!(error instanceof ClusterError) || reactions[error.trouble].retry === 'again') throw error
    // Whatever else is there by now, the next look will see it.
    if (reactions[error.trouble].retry !== 'never') return
    const { fault: code } = reactions[error.trouble]
    await unit((op, vm) =>
      vmRecord.refuse(op, vm, {
        kind,
        code,
        detail: messageOf('vm.order_refused'),
      }),
    )
  }
}
