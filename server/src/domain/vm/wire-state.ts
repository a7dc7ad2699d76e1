import { type VmState, vmStates } from './state.ts'
import { type Power, powers } from './vm.ts'

/** The states of the older REST API, which has fewer. */
export const wireStates = ['Starting', 'Running', 'Stopping', 'Stopped', 'Error'] as const
export type WireState = (typeof wireStates)[number]

/** Maps each state to the older REST API: the client can use the VM, wait for it, or fix it. */
const wireStateByState: Readonly<Record<VmState, WireState>> = {
  Pending: 'Starting',
  Provisioning: 'Starting',
  Starting: 'Starting',
  Running: 'Running',
  // A paused VM is powered on and keeps its memory.
  Paused: 'Running',
  Migrating: 'Running',
  Restarting: 'Starting',
  Stopping: 'Stopping',
  Stopped: 'Stopped',
  Deleting: 'Stopping',
  Error: 'Error',
  Unknown: 'Error',
  Lost: 'Error',
  Failed: 'Error',
}

interface ReportedVm {
  state: VmState
  deleting: boolean
  wantedPower: Power
  /** True while an operation that starts the stopped VM is open. */
  startRequested: boolean
}

/**
 * Returns the state for the older REST API. Its clients poll only while a VM is starting or
 * stopping, so an accepted request shows before the cluster has acted on it.
 */
export function wireStateOf({
  state,
  deleting,
  wantedPower,
  startRequested,
}: ReportedVm): WireState {
  const observed = wireStateByState[deleting ? 'Deleting' : state]
  if (wantedPower === 'off')
    return observed === 'Starting' || observed === 'Running' ? 'Stopping' : observed
  // A VM whose guest shut itself down stays stopped although its desired power is on.
  return observed === 'Stopped' && startRequested ? 'Starting' : observed
}

const allCases: readonly ReportedVm[] = vmStates.flatMap((state) =>
  powers.flatMap((wantedPower) =>
    [true, false].map((startRequested) => ({
      state,
      wantedPower,
      startRequested,
      deleting: state === 'Deleting',
    })),
  ),
)

/** Returns the cases that are reported with these words, as the database writes a case. */
export const casesReportedAs = (...words: readonly WireState[]): string[] =>
  allCases
    .filter((each) => words.includes(wireStateOf(each)))
    .map(({ state, wantedPower, startRequested }) => `${state} ${wantedPower} ${startRequested}`)
