import type { VmState } from '../../api/vm/vms.ts'

/** The choices of the filter by state on the page of VMs. Each stands for several states. */
export const stateGroups = ['all', 'running', 'stopped', 'changing', 'troubled'] as const
type StateGroup = (typeof stateGroups)[number]

const groupOf: Record<VmState, Exclude<StateGroup, 'all'>> = {
  Running: 'running',
  Paused: 'running',
  Stopped: 'stopped',
  Pending: 'changing',
  Provisioning: 'changing',
  Starting: 'changing',
  Migrating: 'changing',
  Restarting: 'changing',
  Stopping: 'changing',
  Deleting: 'changing',
  Error: 'troubled',
  Unknown: 'troubled',
  Lost: 'troubled',
  Failed: 'troubled',
}
// Object.keys returns strings; the table has no other keys than the states.
const states = Object.keys(groupOf) as VmState[]

/** Returns the states of the group for the server's filter; null when it includes all. */
export const statesIn = (group: StateGroup): VmState[] | null =>
  group === 'all' ? null : states.filter((state) => groupOf[state] === group)
