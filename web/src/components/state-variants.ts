import type { OperationRow } from '../api/operations.ts'
import type { TenantRow } from '../api/tenant/tenants.ts'
import type { VmState } from '../api/vm/vms.ts'
import type { Tone } from '../ui/UiBadge.vue'
import type { PlainMessage } from '../i18n/active-locale.ts'

export interface StateVariant {
  label: PlainMessage
  tone: Tone
  inProgress?: boolean
}

/** Every state has a label and a tone. A new state of the schema does not compile without them. */
export const operationVariants: Record<OperationRow['state'], StateVariant> = {
  pending: { label: 'Waiting', tone: 'idle', inProgress: true },
  running: { label: 'Running', tone: 'info', inProgress: true },
  succeeded: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'idle' },
  superseded: { label: 'Superseded', tone: 'idle' },
}

export const tenantVariants: Record<TenantRow['state'], StateVariant> = {
  active: { label: 'Active', tone: 'good' },
  creating: { label: 'Creating', tone: 'info', inProgress: true },
  deleting: { label: 'Deleting', tone: 'warn', inProgress: true },
  failed: { label: 'Failed', tone: 'bad' },
}

export const vmVariants: Record<VmState, StateVariant> = {
  Pending: { label: 'Waiting', tone: 'idle', inProgress: true },
  Provisioning: { label: 'Provisioning', tone: 'info', inProgress: true },
  Starting: { label: 'Starting', tone: 'info', inProgress: true },
  Running: { label: 'Running', tone: 'good' },
  Paused: { label: 'Paused', tone: 'warn' },
  Migrating: { label: 'Moving', tone: 'info', inProgress: true },
  Restarting: { label: 'Restarting', tone: 'info', inProgress: true },
  Stopping: { label: 'Stopping', tone: 'info', inProgress: true },
  Stopped: { label: 'Stopped', tone: 'idle' },
  Deleting: { label: 'Deleting', tone: 'warn', inProgress: true },
  Error: { label: 'Error', tone: 'bad' },
  Unknown: { label: 'No answer', tone: 'warn' },
  Lost: { label: 'Lost', tone: 'bad' },
  Failed: { label: 'Failed', tone: 'bad' },
}
