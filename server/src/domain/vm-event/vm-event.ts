import { type Explanation } from '../vm/explain.ts'
import { type VmState } from '../vm/state.ts'

/** The events of a VM: each state that it reached, and changes without a request in Berth. */
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
  'failed', // its deploy failed; it is not in the cluster, or does not run there.
  'crashed', // the guest or the VMI ended with an error.
  'moved', // the VMI is on another node.
  'noticed', // only the explanation changed.
  'restarted', // another VMI exists or is about to.
  'shut_down', // the guest shut itself down.
  'started_outside',
  'stopped_outside',
  'went_down', // the VMI was deleted.
] as const
export type VmEventCode = (typeof vmEventCodes)[number]

export interface NewVmEvent {
  code: VmEventCode
  fromState: VmState
  toState: VmState
  explanation: Explanation | null
}

/** An entry in the history of a VM. */
export interface VmEventView extends NewVmEvent {
  id: string
  at: string
}
