import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { VolumeSnapshot } from './volume-snapshot-entity.ts'
import { volumeSnapshotKeys } from './volume-snapshot-keys.ts'
import { VolumeSnapshotReads } from './volume-snapshot-reads.ts'
import { VolumeSnapshotStore } from './volume-snapshot.ts'

/** The part of the store for volume snapshots: tables, queries and work keys for the reconciler. */
export const volumeSnapshotNoun = {
  entities: [VolumeSnapshot],
  reads: { volumeSnapshots: VolumeSnapshotReads },
  stores: { volumeSnapshots: VolumeSnapshotStore },
  workKeys: { volume_snapshot: volumeSnapshotKeys },
  goneWithTenant: [VolumeSnapshot],
  constraints: {
    volume_snapshot_name_key: messageOf('snapshot.name_taken_meanwhile'),
  },
} satisfies NounParts
