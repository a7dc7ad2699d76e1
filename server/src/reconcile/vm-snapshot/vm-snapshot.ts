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

interface Wanted {
  vmName: string
  /** It is to be of the machine when that is off, which it is not yet. */
  waitsForMachine: boolean
}

const ofVms: SnapshotOfCluster<Row, SeenVmSnapshot, Wanted> = {
  kind: 'vm_snapshot',
  making: 'create_vm_snapshot',
  removing: 'delete_vm_snapshot',
  storeOf: (op) => op.vmSnapshots,
  wantedOf: async (op, row) => ({
    vmName: row.vmName,
    waitsForMachine: await waitsForMachine(op, row),
  }),
  foundOf(row, asked, seen) {
    // What was in it once is known for good, also when it is gone.
    const disks =
      row.disks ?? (seen?.isReady ? coveredDisks(row.machineDisks, seen.included) : null)
    const consistency = row.consistency ?? (seen?.isReady ? consistencyOf(seen) : null)
    const waits = row.origin === 'safety' && !row.clusterUid
    return {
      explanation: explain({ ...asked, waitsForMachine: waits }, seen, disks),
      disks,
      consistency,
    }
  },
  object: 'vmSnapshot',
  nameOf: vmSnapshotName,
  async look(reader, place, { clusterUid: uid, deleteRequested, hasFailed }) {
    const seen = await reader.getVmSnapshot(place)
    if (seen || uid === null || !(deleteRequested || hasFailed)) return { seen, isLeft: false }
    return {
      seen,
      isLeft: (await reader.getVmSnapshotContent({ namespace: place.namespace, uid })) !== null,
    }
  },
  nextStep: ({ wanted: { waitsForMachine: waits }, ...asked }, seen) =>
    nextStep({ ...asked, waitsForMachine: waits }, seen),
  apply: (writer, owned, { vmName }) =>
    writer.applyObject({ noun: 'vmSnapshot', ...owned, as: { vm: vmName, deadlineSeconds } }),
}

/** The cluster gives up no sooner than the operation does. */
const deadlineSeconds = operationKinds.create_vm_snapshot.deadlineMs / 1000

async function waitsForMachine(op: Op, { origin, clusterUid, vmId: id }: Row): Promise<boolean> {
  if (origin !== 'safety' || clusterUid) return false
  return !(await Promises.on(op, { kind: 'vm', id })).hasDone('restore_vm', 'off')
}

export const vmSnapshotReconciler = (parts: SnapshotReconcilerParts): Reconciler =>
  snapshotReconciler(ofVms, parts)
