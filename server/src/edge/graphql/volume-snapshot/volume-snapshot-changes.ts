import { rowChanges } from '../change/row-changes.ts'
import { VolumeSnapshot } from './volume-snapshot-types.ts'

export const VolumeSnapshotChangesResolver = rowChanges({
  name: 'volumeSnapshotChanged',
  type: () => VolumeSnapshot,
  needs: ['volumes:read'],
  kind: 'volume_snapshot',
  noun: 'snapshot',
  description: 'The snapshot as it is, and again each time that it has changed, until it is gone.',
  read: (reads, id) => reads.volumeSnapshots.find(id),
})
