import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
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
  stores: {
    vmSnapshots: (unit: UnitTools, reader: Reader) => new VmSnapshotStore(unit, reader),
  },
  workKeys: { vm_snapshot: vmSnapshotKeys },
  constraints: {
    vm_snapshot_name_key: messageOf('vm_snapshot.name_taken_meanwhile'),
  },
} satisfies NounParts
