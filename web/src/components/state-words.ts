import type { OperationRow } from '../api/operations.ts'
import type { TenantRow } from '../api/tenants.ts'
import type { Tone } from '../ui/UiBadge.vue'

interface Look {
  words: string
  tone: Tone
  active?: boolean
}

/** Every state has a label and a tone; a new state of the schema does not compile until it has them. */
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
