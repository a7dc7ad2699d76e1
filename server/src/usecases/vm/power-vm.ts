import {
  type PowerVerb,
  isVmiCommand,
  powerVerbs,
  powerOperationKindFor,
} from '../../domain/vm/power-verbs.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { type VmChangeRequest } from './named-vm.ts'
import { respondWithOperation, lockVmForAction, vmAfter } from './lock-vm.ts'
import { currentVmiUid } from './current-vmi.ts'

interface PowerVmRequest extends VmChangeRequest {
  /** Cuts the power: the guest gets no time to shut down. */
  force?: boolean | null
  /** Accepts a VM that has the requested power already, instead of refusing the request. */
  ifNeeded?: boolean | null
}

export interface PowerVmResult {
  vm: VmView
  /** The operation. Null when there was nothing to do. */
  operation: OperationView | null
}

/**
 * Records the desired power of a VM and opens the operation, or joins the open one. A forced stop
 * turns an open stop into a forced one.
 */
export async function powerVm(
  op: Op,
  verb: PowerVerb,
  request: PowerVmRequest,
): Promise<PowerVmResult> {
  const forced = request.force ?? false
  const forcesStop = verb === 'stop' && forced
  const kind = powerOperationKindFor(verb)
  const action = forcesStop ? 'forceStop' : verb
  const ifNeeded = request.ifNeeded ?? false
  const { row, isOpenAlready, isDone } = await lockVmForAction(op, request, {
    action,
    kind,
    ifNeeded,
  })
  if (isDone) return { vm: await vmAfter(op, row), operation: null }
  if (!isOpenAlready || (forcesStop && !row.forced)) {
    if (isVmiCommand(verb))
      op.vms.requestVmiCommand(row, verb, { vmiUid: currentVmiUid(row), forced })
    else op.vms.requestPower(row, powerVerbs[verb].power, forced)
  }
  return respondWithOperation(op, row, kind)
}
