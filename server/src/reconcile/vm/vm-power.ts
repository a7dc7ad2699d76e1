import { ClusterError, reactions } from '../../engine/kube/cluster-error.ts'
import { type PowerWriter } from '../../cluster/writer.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { type VmStep } from '../../domain/vm/next-step.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { desiredOperationKind } from '../../domain/vm/vmi-command.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import * as vmRecord from './vm-record.ts'
import { type VmTarget, type VmUnit } from './vm-record.ts'
import { messageOf } from '../../engine/model/message.ts'

interface PowerContext {
  unit: VmUnit
  desired: VmTarget
  observed: ObservedVm | null
  cluster: { writer: PowerWriter }
}

/**
 * Sends a power command to the VMI for which it was requested. The next observation shows the
 * result.
 */
export async function sendPowerCommand(
  { unit, desired, observed, cluster }: PowerContext,
  step: Extract<VmStep, { do: 'order' }>,
): Promise<void> {
  const kind = desiredOperationKind(vmRecord.desiredPowerOf(desired.spec))
  await unit((op, vm) => vmRecord.observe(op, vm, observed))
  try {
    await atFailpoint(stepFailpoint(kind, 'vm'), () =>
      cluster.writer.powerVm(desired, step.order, { uid: step.uid, instanceUid: step.vmiUid }),
    )
    await unit((op, vm) => vmRecord.commandSent(op, vm, kind))
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
