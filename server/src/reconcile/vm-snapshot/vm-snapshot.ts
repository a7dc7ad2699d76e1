import { coveredDisks } from '../../domain/vm-snapshot/coverage.ts'
import { explain } from '../../domain/vm-snapshot/explain.ts'
import { type SeenVmSnapshot, consistencyOf, nextStep } from '../../domain/vm-snapshot/state.ts'
import { vmSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { operationKinds } from '../../domain/nouns.ts'
import { type Op } from '../../store/op.ts'
import { Promises } from '../promise.ts'
import { type Reconciler } from '../../engine/reconcile/reconciler.ts'
import {
  type SnapshotOfCluster,
  type SnapshotReconcilerParts,
  snapshotReconciler,
} from './snapshot.ts'

type Row = NonNullable<Awaited<ReturnType<Op['vmSnapshots']['row']>>>

interface DesiredVmSnapshot {
  vmName: string
  /** True when the snapshot must be taken while the VM is off, and the VM is not off yet. */
  waitsForVmOff: boolean
}

const vmSnapshotNoun: SnapshotOfCluster<Row, SeenVmSnapshot, DesiredVmSnapshot> = {
  kind: 'vm_snapshot',
  making: 'create_vm_snapshot',
  removing: 'delete_vm_snapshot',
  storeOf: (op) => op.vmSnapshots,
  wantedOf: async (op, row) => ({
    vmName: row.vmName,
    waitsForVmOff: await waitsForVmOff(op, row),
  }),
  foundOf(row, desired, observed) {
    // The coverage is known once the snapshot is ready, and stays known after the snapshot is gone.
    const disks =
      row.disks ?? (observed?.isReady ? coveredDisks(row.machineDisks, observed.included) : null)
    const consistency = row.consistency ?? (observed?.isReady ? consistencyOf(observed) : null)
    const waits = row.origin === 'safety' && !row.clusterUid
    return {
      explanation: explain({ ...desired, waitsForMachine: waits }, observed, disks),
      disks,
      consistency,
    }
  },
  object: 'vmSnapshot',
  nameOf: vmSnapshotName,
  async look(reader, reference, { clusterUid: uid, deleteRequested, hasFailed }) {
    const observed = await reader.getVmSnapshot(reference)
    if (observed || uid === null || !(deleteRequested || hasFailed))
      return { observed, isLeft: false }
    return {
      observed,
      isLeft: (await reader.getVmSnapshotContent({ namespace: reference.namespace, uid })) !== null,
    }
  },
  nextStep: ({ wanted: { waitsForVmOff: waits }, ...desired }, observed) =>
    nextStep({ ...desired, waitsForMachine: waits }, observed),
  apply: (writer, owned, { vmName }) =>
    writer.applyObject({ noun: 'vmSnapshot', ...owned, as: { vm: vmName, deadlineSeconds } }),
}

/** The cluster waits for the snapshot as long as the operation does. */
const deadlineSeconds = operationKinds.create_vm_snapshot.deadlineMs / 1000

async function waitsForVmOff(op: Op, { origin, clusterUid, vmId: id }: Row): Promise<boolean> {
  if (origin !== 'safety' || clusterUid) return false
  return !(await Promises.on(op, { kind: 'vm', id })).hasDone('restore_vm', 'off')
}

export const vmSnapshotReconciler = (parts: SnapshotReconcilerParts): Reconciler =>
  snapshotReconciler(vmSnapshotNoun, parts)
