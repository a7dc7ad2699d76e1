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
