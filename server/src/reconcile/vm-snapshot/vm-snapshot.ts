import { coveredDisks } from '../../domain/vm-snapshot/coverage.ts'
import { explain } from '../../domain/vm-snapshot/explain.ts'
import { type ObservedVmSnapshot, consistencyOf, nextStep } from '../../domain/vm-snapshot/state.ts'
import { vmSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { deadlineSecondsOf } from '../../domain/operation/kind.ts'
import { type Op } from '../../store/op.ts'
import { OpenOperations } from '../open-operations.ts'
import { type Reconciler } from '../../engine/reconcile/reconciler.ts'
import {
  type ClusterSnapshotNoun,
  type SnapshotReconcilerParts,
  reconcilerOfSnapshots,
} from './snapshot.ts'

type Row = NonNullable<Awaited<ReturnType<Op['vmSnapshots']['row']>>>

interface DesiredVmSnapshot {
  vmName: string
  /** True when the snapshot must be taken while the VM is off, and the VM is not off yet. */
  waitsForVmOff: boolean
  /** The cluster waits for the snapshot as long as its operation does. */
  deadlineSeconds: number
}

const vmSnapshotNoun: ClusterSnapshotNoun<Row, ObservedVmSnapshot, DesiredVmSnapshot> = {
  kind: 'vm_snapshot',
  createKind: 'create_vm_snapshot',
  deleteKind: 'delete_vm_snapshot',
  storeOf: (op) => op.vmSnapshots,
  desiredOf: async (op, row) => ({
    vmName: row.vmName,
    waitsForVmOff: await waitsForVmOff(op, row),
    deadlineSeconds: deadlineSecondsOf('create_vm_snapshot', op.deadlineFactor),
  }),
  observedOf(row, desired, observed) {
    // The coverage is known once the snapshot is ready, and stays known after the snapshot is gone.
    const disks =
      row.disks ?? (observed?.isReady ? coveredDisks(row.vmDisks, observed.included) : null)
    const consistency = row.consistency ?? (observed?.isReady ? consistencyOf(observed) : null)
    const waits = row.origin === 'safety' && !row.clusterUid
    return {
      explanation: explain({ ...desired, waitsForVmOff: waits }, observed, disks),
      disks,
      consistency,
    }
  },
  object: 'vmSnapshot',
  nameOf: vmSnapshotName,
  async read(reader, reference, { clusterUid: uid, deleteRequested, hasFailed }) {
    const observed = await reader.getVmSnapshot(reference)
    if (observed || uid === null || !(deleteRequested || hasFailed))
      return { observed, isLeft: false }
    return {
      observed,
      isLeft: (await reader.getVmSnapshotContent({ namespace: reference.namespace, uid })) !== null,
    }
  },
  nextStep: ({ desired: { waitsForVmOff }, ...desired }, observed) =>
    nextStep({ ...desired, waitsForVmOff }, observed),
  apply: (writer, owned, { vmName, deadlineSeconds }) =>
    writer.applyObject({ noun: 'vmSnapshot', ...owned, spec: { vm: vmName, deadlineSeconds } }),
}

async function waitsForVmOff(op: Op, { origin, clusterUid, vmId: id }: Row): Promise<boolean> {
  if (origin !== 'safety' || clusterUid) return false
  return !(await OpenOperations.on(op, { kind: 'vm', id })).isStepDone('restore_vm', 'off')
}

/** Keeps the snapshots of VMs in the state that their rows desire. */
export const vmSnapshotReconciler = (parts: SnapshotReconcilerParts): Reconciler =>
  reconcilerOfSnapshots(vmSnapshotNoun, parts)
