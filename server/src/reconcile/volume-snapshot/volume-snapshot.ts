import { explain } from '../../domain/volume-snapshot/explain.ts'
import { nextStep } from '../../domain/volume-snapshot/next-step.ts'
import { volumeName } from '../../domain/volume/object-names.ts'
import { type ObservedSnapshot } from '../../domain/volume-snapshot/state.ts'
import { snapshotName } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type Op } from '../../store/op.ts'
import { type Reconciler } from '../../engine/reconcile/reconciler.ts'
import {
  type ClusterSnapshotNoun,
  type SnapshotReconcilerParts,
  reconcilerOfSnapshots,
} from '../vm-snapshot/snapshot.ts'

type Row = NonNullable<Awaited<ReturnType<Op['volumeSnapshots']['row']>>>

interface DesiredVolumeSnapshot {
  volumeId: string
  snapshotClass: string
}

const volumeSnapshotNoun: ClusterSnapshotNoun<Row, ObservedSnapshot, DesiredVolumeSnapshot> = {
  kind: 'volume_snapshot',
  createKind: 'create_volume_snapshot',
  deleteKind: 'delete_volume_snapshot',
  storeOf: (op) => op.volumeSnapshots,
  desiredOf: (_op, { volumeId, snapshotClass }) => Promise.resolve({ volumeId, snapshotClass }),
  observedOf: (_row, desired, observed) => ({ explanation: explain(desired, observed) }),
  object: 'volumeSnapshot',
  nameOf: snapshotName,
  read: async (reader, reference) => ({
    observed: await reader.getVolumeSnapshot(reference),
    isLeft: false,
  }),
  nextStep,
  apply: (writer, owned, { volumeId, snapshotClass }) =>
    writer.applyObject({
      noun: 'volumeSnapshot',
      ...owned,
      spec: { volume: volumeName(volumeId), snapshotClass },
    }),
}

/** Keeps the snapshots of volumes in the state that their rows desire. */
export const volumeSnapshotReconciler = (parts: SnapshotReconcilerParts): Reconciler =>
  reconcilerOfSnapshots(volumeSnapshotNoun, parts)
