import { type Explanation } from '../vm/explain.ts'
import { type ObservedVm, isOver } from '../vm/observed.ts'
import { type VmState } from '../vm/state.ts'
import { type Power } from '../vm/vm.ts'
import { type NewVmEvent, type VmEventCode } from './vm-event.ts'

interface RecordedVm {
  state: VmState
  vmiUid?: string | null
  host?: string | null
  explanation?: Explanation | null
  wantedPower: Power
}

interface CurrentVm {
  state: VmState
  vmiUid: string | null
  host: string | null
  explanation: Explanation | null
}

interface Observation {
  observed: Pick<ObservedVm, 'runStrategy' | 'queued' | 'vmi'> | null
  /** True while an operation on the VM is open, which explains the observed change. */
  hasOpenOperation: boolean
}

/**
 * Returns the VM event for a change between the recorded and the observed VM; null when nothing
 * notable changed.
 */
export function eventOf(
  recorded: RecordedVm,
  current: CurrentVm,
  observation: Observation,
): NewVmEvent | null {
  const code = codeOf(recorded, current, observation)
  return (
    code && {
      code,
      fromState: recorded.state,
      toState: current.state,
      explanation: current.explanation,
    }
  )
}

function codeOf(
  recorded: RecordedVm,
  current: CurrentVm,
  observation: Observation,
): VmEventCode | null {
  const unrequested = observation.hasOpenOperation
    ? null
    : unrequestedCode(recorded, current, observation.observed)
  if (unrequested) return unrequested
  if (hasMoved(recorded, current)) return 'moved'
  if (recorded.state !== current.state) return codeOfState[current.state]
  const explanationCode = current.explanation?.code ?? null
  return explanationCode !== null && explanationCode !== recorded.explanation?.code
    ? 'noticed'
    : null
}

const up: readonly VmState[] = ['Running', 'Paused', 'Migrating']
const mayRun: readonly VmState[] = [...up, 'Unknown']
/** These states show by themselves that no user requested them. */
const selfExplanatory: readonly VmState[] = ['Unknown', 'Deleting', 'Lost']

function unrequestedCode(
  recorded: RecordedVm,
  current: CurrentVm,
  vm: Observation['observed'],
): VmEventCode | null {
  if (recorded.wantedPower === 'off')
    return recorded.state === 'Stopped' && hasLiveVmi(vm) ? 'started_outside' : null
  if (!mayRun.includes(recorded.state) || selfExplanatory.includes(current.state)) return null
  if (current.vmiUid !== null && current.vmiUid !== recorded.vmiUid) return 'restarted'
  return recorded.state === 'Unknown' || up.includes(current.state) ? null : stopCode(current, vm)
}

const hasLiveVmi = (vm: Observation['observed']): boolean =>
  Boolean(vm?.vmi && !isOver(vm.vmi.phase))

function stopCode({ state }: CurrentVm, vm: Observation['observed']): VmEventCode {
  const phase = vm?.vmi?.phase
  if (phase === 'Failed') return 'crashed'
  if (state === 'Restarting') return 'restarted'
  if (isStoppedOutside(vm)) return 'stopped_outside'
  return state === 'Stopped' || phase === 'Succeeded' ? 'shut_down' : 'went_down'
}

/**
 * True when the cluster was told to stop the VM outside Berth: by a queued stop request or by the
 * run strategy.
 */
const isStoppedOutside = (vm: Observation['observed']): boolean =>
  Boolean(vm && (vm.runStrategy === 'Halted' || vm.queued.includes('stop')))

const hasMoved = (recorded: RecordedVm, current: CurrentVm): boolean =>
  Boolean(recorded.host && current.host) &&
  recorded.host !== current.host &&
  recorded.vmiUid === current.vmiUid &&
  up.includes(current.state)

const codeOfState: Readonly<Record<VmState, VmEventCode>> = {
  Pending: 'pending',
  Provisioning: 'provisioning',
  Starting: 'starting',
  Running: 'running',
  Paused: 'paused',
  Migrating: 'migrating',
  Restarting: 'restarting',
  Stopping: 'stopping',
  Stopped: 'stopped',
  Deleting: 'deleting',
  Error: 'error',
  Unknown: 'unknown',
  Lost: 'lost',
  Failed: 'failed',
}
