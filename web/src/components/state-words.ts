import type { OperationRow } from '../api/operations.ts'
import type { TenantRow } from '../api/tenant/tenants.ts'
import type { VmState } from '../api/vm/vms.ts'
import type { Tone } from '../ui/UiBadge.vue'
import type { PlainMessage } from '../words/spoken.ts'

export interface Look {
  words: PlainMessage
  tone: Tone
  active?: boolean
}

/**
 * Every state has a label and a tone; a new state of the schema does not compile until it has them.
 */
export const operationLooks: Record<OperationRow['state'], Look> = {
  pending: { words: 'Waiting', tone: 'idle', active: true },
  running: { words: 'Running', tone: 'info', active: true },
  succeeded: { words: 'Done', tone: 'good' },
  failed: { words: 'Failed', tone: 'bad' },
  cancelled: { words: 'Cancelled', tone: 'idle' },
  superseded: { words: 'Superseded', tone: 'idle' },
}

export const tenantLooks: Record<TenantRow['state'], Look> = {
  active: { words: 'Active', tone: 'good' },
  creating: { words: 'Creating', tone: 'info', active: true },
  deleting: { words: 'Deleting', tone: 'warn', active: true },
  failed: { words: 'Failed', tone: 'bad' },
}

export const vmLooks: Record<VmState, Look> = {
  Pending: { words: 'Waiting', tone: 'idle', active: true },
  Provisioning: { words: 'Provisioning', tone: 'info', active: true },
  Starting: { words: 'Starting', tone: 'info', active: true },
  Running: { words: 'Running', tone: 'good' },
  Paused: { words: 'Paused', tone: 'warn' },
  Migrating: { words: 'Moving', tone: 'info', active: true },
  Restarting: { words: 'Restarting', tone: 'info', active: true },
  Stopping: { words: 'Stopping', tone: 'info', active: true },
  Stopped: { words: 'Stopped', tone: 'idle' },
  Deleting: { words: 'Deleting', tone: 'warn', active: true },
  Error: { words: 'Error', tone: 'bad' },
  Unknown: { words: 'No answer', tone: 'warn' },
  Lost: { words: 'Lost', tone: 'bad' },
}
