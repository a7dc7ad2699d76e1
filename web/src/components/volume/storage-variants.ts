import type { VolumeSnapshotRow } from '../../api/storage/volume-snapshots.ts'
import type { VolumeRow } from '../../api/storage/volumes.ts'
import type { StateVariant } from '../state-variants.ts'

export const volumeVariants: Record<VolumeRow['state'], StateVariant> = {
  creating: { label: 'Creating', tone: 'info', inProgress: true },
  ready: { label: 'Ready', tone: 'good' },
  attaching: { label: 'Attaching', tone: 'info', inProgress: true },
  attached: { label: 'Attached', tone: 'good' },
  detaching: { label: 'Detaching', tone: 'info', inProgress: true },
  resizing: { label: 'Growing', tone: 'info', inProgress: true },
  lost: { label: 'Lost', tone: 'bad' },
  failed: { label: 'Failed', tone: 'bad' },
  deleting: { label: 'Deleting', tone: 'warn', inProgress: true },
}

/** How the console shows the states of volume snapshots and VM snapshots. */
export const snapshotVariants: Record<VolumeSnapshotRow['state'], StateVariant> = {
  creating: { label: 'Being taken', tone: 'info', inProgress: true },
  ready: { label: 'Ready', tone: 'good' },
  lost: { label: 'Lost', tone: 'bad' },
  failed: { label: 'Failed', tone: 'bad' },
  deleting: { label: 'Deleting', tone: 'warn', inProgress: true },
}
