import type { NetworkRow } from '../../api/network/networks.ts'
import type { StateVariant } from '../state-variants.ts'

/** How the console shows the states of VPCs and networks. */
export const networkVariants: Record<NetworkRow['state'], StateVariant> = {
  active: { label: 'Active', tone: 'good' },
  creating: { label: 'Creating', tone: 'info', inProgress: true },
  deleting: { label: 'Deleting', tone: 'warn', inProgress: true },
  failed: { label: 'Failed', tone: 'bad' },
}
