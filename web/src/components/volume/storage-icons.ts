import type { VolumeSnapshotRow } from '../../api/storage/volume-snapshots.ts'
import type { VolumeRow } from '../../api/storage/volumes.ts'
import type { Look } from '../state-words.ts'

export const volumeLooks: Record<VolumeRow['state'], Look> = {
  creating: { words: 'Creating', tone: 'info', active: true },
  ready: { words: 'Ready', tone: 'good' },
  attaching: { words: 'Attaching', tone: 'info', active: true },
  attached: { words: 'Attached', tone: 'good' },
  detaching: { words: 'Detaching', tone: 'info', active: true },
  resizing: { words: 'Growing', tone: 'info', active: true },
  lost: { words: 'Lost', tone: 'bad' },
  failed: { words: 'Failed', tone: 'bad' },
  deleting: { words: 'Deleting', tone: 'warn', active: true },
}

/** Of volumes and of whole machines. */
export const snapshotLooks: Record<VolumeSnapshotRow['state'], Look> = {
  creating: { words: 'Being taken', tone: 'info', active: true },
  ready: { words: 'Ready', tone: 'good' },
  lost: { words: 'Lost', tone: 'bad' },
  failed: { words: 'Failed', tone: 'bad' },
  deleting: { words: 'Deleting', tone: 'warn', active: true },
}
