import { rowChanges } from '../change/row-changes.ts'
import { VolumeSnapshot } from './volume-snapshot-types.ts'

export const VolumeSnapshotChangesResolver = rowChanges({
  name: 'volumeSnapshotChanged',
  type: () => VolumeSnapshot,
  needs: ['volumes:read'],
  kind: 'volume_snapshot',
  noun: 'snapshot',
  description: 'Sends the snapshot now and after each change, until it is deleted.',
  read: (reads, id) => reads.volumeSnapshots.find(id),
})
