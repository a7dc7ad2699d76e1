import type { NetworkRow } from '../../api/network/networks.ts'
import type { Look } from '../state-words.ts'

/** Of VPCs and networks. */
export const netLooks: Record<NetworkRow['state'], Look> = {
  active: { words: 'Active', tone: 'good' },
  creating: { words: 'Creating', tone: 'info', active: true },
  deleting: { words: 'Deleting', tone: 'warn', active: true },
  failed: { words: 'Failed', tone: 'bad' },
}
