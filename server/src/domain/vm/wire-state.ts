import { type VmState, vmStates } from './state.ts'

/** The states of the older REST wire, which knows fewer. */
export const wireStates = [
  'Pending',
  'Starting',
  'Running',
  'Stopping',
  'Stopped',
  'Error',
] as const
export type WireState = (typeof wireStates)[number]

/**
 * What a client of the older wire is told: whether it can use the VM, wait for it, or has to look
 * after it.
 */
export const wireStateOf: Readonly<Record<VmState, WireState>> = {
  Pending: 'Pending',
  Provisioning: 'Starting',
  Starting: 'Starting',
  Running: 'Running',
  // Powered on, with all it holds in memory.
  Paused: 'Running',
  Migrating: 'Running',
  Restarting: 'Starting',
  Stopping: 'Stopping',
  Stopped: 'Stopped',
  Deleting: 'Stopping',
  Error: 'Error',
  Unknown: 'Error',
  Lost: 'Error',
}

/** The states that are told with one of these words. */
export const statesToldAs = (...words: readonly WireState[]): VmState[] =>
  vmStates.filter((state) => words.includes(wireStateOf[state]))
