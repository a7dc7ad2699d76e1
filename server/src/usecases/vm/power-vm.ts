import {
  type PowerVerb,
  isVmiCommand,
  powerVerbs,
  powerOperationKindFor,
} from '../../domain/vm/power-verbs.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, respondWithOperation, lockVmForAction } from './lock-vm.ts'
import { currentVmiUid } from './current-vmi.ts'

/** `force` cuts the power: the guest gets no time to shut down. */
type PowerVmRequest = NamedVm & { force?: boolean | null }

/**
 * Records the desired power of a VM and opens the operation, or joins the open one. A forced stop
 * turns an open stop into a forced one.
 */
export async function powerVm(op: Op, verb: PowerVerb, request: PowerVmRequest): Promise<VmAnswer> {
  const forced = request.force ?? false
  const forcesStop = verb === 'stop' && forced
  const kind = powerOperationKindFor(verb)
  const action = forcesStop ? 'forceStop' : verb
  const { row, isOpenAlready } = await lockVmForAction(op, request, { action, kind })
  if (!isOpenAlready || (forcesStop && !row.forced)) {
    if (isVmiCommand(verb))
      op.vms.requestVmiCommand(row, verb, { vmiUid: currentVmiUid(row), forced })
    else op.vms.requestPower(row, powerVerbs[verb].power, forced)
  }
  return respondWithOperation(op, row, kind)
}
