import { type Explanation } from '../vm/explain.ts'
import { type VmState } from '../vm/state.ts'

/**
 * What is told of a machine: each state that it came to, and what came about without being asked
 * for here.
 */
export const vmEventCodes = [
  'pending',
  'provisioning',
  'starting',
  'running',
  'paused',
  'migrating',
  'restarting',
  'stopping',
  'stopped',
  'deleting',
  'error',
  'unknown',
  'lost',
  'crashed', //         its guest, or what runs it, ended with an error
  'moved', //           the same run is on another host
  'noticed', //         nothing has changed but what there is to explain
  'restarted', //       another run is there, or comes
  'shut_down', //       its guest switched itself off
  'started_outside',
  'stopped_outside',
  'went_down', //       taken from where it ran
] as const
export type VmEventCode = (typeof vmEventCodes)[number]

export interface NewVmEvent {
  code: VmEventCode
  fromState: VmState
  toState: VmState
  explanation: Explanation | null
}

export interface VmEventView extends NewVmEvent {
  id: string
  at: string
}

export const vmEventSummaries: Readonly<Record<VmEventCode, string>> = {
  pending: 'The VM waits to be made.',
  provisioning: 'The VM is getting its disks.',
  starting: 'The VM is starting.',
  running: 'The VM is running.',
  paused: 'The VM is paused.',
  migrating: 'The VM is moving to another machine.',
  restarting: 'The VM is restarting.',
  stopping: 'The VM is shutting down.',
  stopped: 'The VM has stopped.',
  deleting: 'The VM is being deleted.',
  error: 'The VM has a problem.',
  unknown: 'The VM does not answer.',
  lost: 'The VM is gone.',
  crashed: 'The VM has crashed.',
  moved: 'The VM has moved to another machine.',
  noticed: 'The VM needs attention.',
  restarted: 'The VM is started anew, although nobody asked for it.',
  shut_down: 'The guest has shut itself down.',
  started_outside: 'The VM was started outside of this platform.',
  stopped_outside: 'The VM was stopped outside of this platform.',
  went_down: 'The VM went down, although nobody asked for it.',
}
