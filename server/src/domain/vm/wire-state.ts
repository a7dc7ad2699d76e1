import { type VmState, vmStates } from './state.ts'

/** The states of the older REST API, which has fewer. */
export const wireStates = [
  'Pending',
  'Starting',
  'Running',
  'Stopping',
  'Stopped',
  'Error',
] as const
export type WireState = (typeof wireStates)[number]

/** Maps each state to the older REST API: the client can use the VM, wait for it, or fix it. */
export const wireStateOf: Readonly<Record<VmState, WireState>> = {
  Pending: 'Pending',
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

/** Returns the states that the older REST API reports with these words. */
export const statesReportedAs = (...words: readonly WireState[]): VmState[] =>
  vmStates.filter((state) => words.includes(wireStateOf[state]))
