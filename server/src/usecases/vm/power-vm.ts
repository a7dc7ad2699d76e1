import { type PowerVerb, isRunWish, powerVerbs, wishKindFor } from '../../domain/vm/power-verbs.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'
import { presentRun } from './present-run.ts'

/** `force` cuts the power: the guest gets no time to shut down. */
type PowerVmRequest = NamedVm & { force?: boolean | null }

/**
 * Records the desired power of a VM and opens the operation, or joins the open one. A forced stop
 * turns an open stop into a forced one.
 */
export async function powerVm(op: Op, verb: PowerVerb, request: PowerVmRequest): Promise<VmAnswer> {
  const forced = request.force ?? false
  const forcesStop = verb === 'stop' && forced
  const kind = wishKindFor(verb)
  const action = forcesStop ? 'forceStop' : verb
  const { row, isOpenAlready } = await ownVm(op, request, { action, kind })
  if (!isOpenAlready || (forcesStop && !row.forced)) {
    if (isRunWish(verb)) op.vms.askRun(row, verb, { runUid: presentRun(row), forced })
    else op.vms.askPower(row, powerVerbs[verb].power, forced)
  }
  return answerWith(op, row, kind)
}
