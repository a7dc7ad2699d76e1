import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { VmSnapshot } from './vm-snapshot-entity.ts'
import { vmSnapshotKeys } from './vm-snapshot-keys.ts'
import { VmSnapshotReads } from './vm-snapshot-reads.ts'
import { VmSnapshotStore } from './vm-snapshot.ts'

/** The part of the store for VM snapshots: tables, queries and work keys for the reconciler. */
export const vmSnapshotNoun = {
  entities: [VmSnapshot],
  reads: { vmSnapshots: VmSnapshotReads },
  stores: { vmSnapshots: VmSnapshotStore },
  workKeys: { vm_snapshot: vmSnapshotKeys },
  goneWithTenant: [VmSnapshot],
  constraints: {
    vm_snapshot_name_key: messageOf('vm_snapshot.name_taken_meanwhile'),
  },
} satisfies NounParts
