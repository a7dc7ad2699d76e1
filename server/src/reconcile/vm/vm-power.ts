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

interface PowerContext {
  unit: VmUnit
  desired: AskedVm
  observed: SeenVm | null
  cluster: { writer: PowerWriter }
}

/**
 * Sends a power command to the VMI for which it was requested. The next observation shows the
 * result.
 */
export async function orderMachine(
  { unit, desired, observed, cluster }: PowerContext,
  step: Extract<MachineStep, { do: 'order' }>,
): Promise<void> {
  const kind = wishKindOf(vmRecord.wishedOf(desired.spec))
  await unit((op, vm) => vmRecord.observe(op, vm, observed))
  try {
    await atFailpoint(stepPoint(kind, 'machine'), () =>
      cluster.writer.powerVm(desired, step.order, { uid: step.uid, instanceUid: step.runUid }),
    )
    await unit((op, vm) => vmRecord.ordered(op, vm, kind))
  } catch (error) {
    if (!(error instanceof ClusterError) || reactions[error.trouble].retry === 'again') throw error
    // The state has changed since the decision. The next pass reads it.
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
