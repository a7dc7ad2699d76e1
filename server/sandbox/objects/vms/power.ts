import { type KubeObject } from '../types.ts'
import { read } from '../read.ts'
import { isFinal } from './phase.ts'
import { isStartRequested, isStopRequested } from './requests.ts'

/** The power action that a VM needs now. */
export type PowerStep = 'start' | 'stop' | 'leave'

/** The run strategy of a VM. The older field `running` means Always or Halted. */
export const strategyOf = (vm: KubeObject): string => {
  const { runStrategy, running } = read.spec(vm)
  if (running !== undefined) return running === true ? 'Always' : 'Halted'
  return read.text(runStrategy)
}

type Rule = (vm: KubeObject, vmi: KubeObject | undefined) => PowerStep

/** The power action by run strategy, given the current VMI. */
const rules: Readonly<Record<string, Rule>> = {
  Always: (vm, vmi) =>
    vmi === undefined ? 'start' : isFinal(vmi) || isStopRequested(vm, vmi) ? 'stop' : 'leave',
  Halted: (_vm, vmi) => (vmi === undefined ? 'leave' : 'stop'),
  RerunOnFailure(vm, vmi) {
    if (vmi) return isFinal(vmi) || isStopRequested(vm, vmi) ? 'stop' : 'leave'
    const isNew = read.status(vm).runStrategy !== 'RerunOnFailure'
    return isNew || isStartRequested(vm) ? 'start' : 'leave'
  },
  Manual(vm, vmi) {
    if (vmi)
      return isStopRequested(vm, vmi) || (isFinal(vmi) && isStartRequested(vm)) ? 'stop' : 'leave'
    return isStartRequested(vm) ? 'start' : 'leave'
  },
  Once(vm, vmi) {
    if (vmi) return isStopRequested(vm, vmi) ? 'stop' : 'leave'
    return read.status(vm).runStrategy === 'Once' ? 'leave' : 'start'
  },
}

/**
 * Decides from the run strategy and the open requests whether the VM controller starts or stops a
 * VM.
 */
export const powerStep: Rule = (vm, vmi) => rules[strategyOf(vm)]?.(vm, vmi) ?? 'leave'
