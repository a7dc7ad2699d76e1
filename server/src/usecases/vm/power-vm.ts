import { type PowerVerb, isRunWish, powerVerbs, wishKindFor } from '../../domain/vm/power-verbs.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'
import { presentRun } from './present-run.ts'

/** `force` gives the guest no time to shut down, as if its plug were pulled. */
type PoweredVm = NamedVm & { force?: boolean | null }

/**
 * Records what a VM's power is to do, and opens the operation; asking again joins the open one. A
 * stop that is under way becomes a forced one when that is asked for.
 */
export async function powerVm(op: Op, verb: PowerVerb, asked: PoweredVm): Promise<VmAnswer> {
  const forced = asked.force ?? false
  const forcesStop = verb === 'stop' && forced
  const kind = wishKindFor(verb)
  const action = forcesStop ? 'forceStop' : verb
  const { row, underWay } = await ownVm(op, asked, { action, kind })
  if (!underWay || (forcesStop && !row.forced)) {
    if (isRunWish(verb)) op.vms.askRun(row, verb, { runUid: presentRun(row), forced })
    else op.vms.askPower(row, powerVerbs[verb].power, forced)
  }
  return answerWith(op, row, kind)
}
