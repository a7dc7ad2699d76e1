import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { type SnapshotStep } from '../../domain/volume-snapshot/next-step.ts'
import { type ObservedSnapshot } from '../../domain/volume-snapshot/state.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type SnapshotColumns } from '../../store/vm-snapshot/snapshot-store.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { refusedWrite } from '../refused-write.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import { type SnapshotNoun, type SnapshotTarget, SnapshotRecord } from './snapshot-record.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface SnapshotReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** The delay between checks while the cluster carries out a change. */
  waitMs?: number
}

interface ObjectReference {
  namespace: string
  name: string
}

/**
 * The result of reading a snapshot. `isLeft` is true when the snapshot is gone but its content
 * still uses storage.
 */
interface SnapshotRead<Observed> {
  observed: Observed | null
  isLeft: boolean
}

/** The cluster side of a kind of snapshot. */
export interface ClusterSnapshotNoun<
  Row extends SnapshotColumns,
  Observed extends ObservedSnapshot,
  Desired,
> extends SnapshotNoun<Row, Observed, Desired> {
  object: 'volumeSnapshot' | 'vmSnapshot'
  nameOf: (id: string) => string
  read: (
    reader: ClusterReader,
    reference: ObjectReference,
    desired: SnapshotTarget<Desired>,
  ) => Promise<SnapshotRead<Observed>>
  nextStep: (desired: SnapshotTarget<Desired>, observed: Observed | null) => SnapshotStep
  /** Applies the snapshot and returns the identity of the object. */
  apply: (writer: ClusterWriter, owned: Owned, spec: Desired) => Promise<{ uid: string }>
}

export interface Owned extends ObjectReference {
  tenantId: string
  rowId: string
  uid: null
}

/**
 * Builds the reconciler of a kind of snapshot. Snapshots of volumes and of VMs share it. * Keeps a
 * snapshot in the desired state. It is taken once, is never taken again under the same name, and is
 * deleted with its content.
 */
export function reconcilerOfSnapshots<
  Row extends SnapshotColumns,
  Observed extends ObservedSnapshot,
  Desired,
>(
  noun: ClusterSnapshotNoun<Row, Observed, Desired>,
  { store, work, cluster, waitMs = 500 }: SnapshotReconcilerParts,
): Reconciler {
  const record = new SnapshotRecord(noun)
  const unitFor = fencedUnits({ store, work }, (op, id) => noun.storeOf(op).row(id))

  return {
    kind: noun.kind,
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const desired = await unit((op, row) => record.loadDesired(op, row))
      if (!desired) return done
      const reference = { namespace: desired.namespace, name: noun.nameOf(desired.rowId) }
      const { reader, writer } = cluster
      return askDeadlineAfter({
        lease,
        needsReview: desired.needsReview,
        expire: (attendance) => unit((op, row) => record.expire(op, row, attendance)),
        block: (obstacle) => unit((op, row) => record.block(op, row, obstacle)),
        async act() {
          const { observed, isLeft } = await noun.read(reader, reference, desired)
          const step = noun.nextStep(desired, observed)
          if (step.do === 'erase' && isLeft) return waiting(waitMs)
          const parts = { noun, record, unit, desired, observed, writer, reference, waitMs }
          return new SnapshotReconcile(parts).take(step)
        },
      })
    },
    gaveUp: (key, lease) => unitFor(key, lease)((op, row) => record.fail(op, row, outOfTime)),
  }
}

interface SnapshotReconcileParts<
  Row extends SnapshotColumns,
  Observed extends ObservedSnapshot,
  Desired,
> {
  noun: ClusterSnapshotNoun<Row, Observed, Desired>
  record: SnapshotRecord<Row, Observed, Desired>
  unit: Unit<Row>
  desired: SnapshotTarget<Desired>
  observed: Observed | null
  writer: ClusterWriter
  reference: ObjectReference
  waitMs: number
}

class SnapshotReconcile<Row extends SnapshotColumns, Observed extends ObservedSnapshot, Desired> {
  readonly #parts: SnapshotReconcileParts<Row, Observed, Desired>

  constructor(parts: SnapshotReconcileParts<Row, Observed, Desired>) {
    this.#parts = parts
  }

  async take(step: SnapshotStep): Promise<Outcome> {
    const { noun, record, unit, desired, observed, waitMs } = this.#parts
    const again: Outcome = { again: { afterMs: waitMs } }
    switch (step.do) {
      case 'nothing':
        return done
      case 'wait':
        await this.#write()
        return waiting(waitMs)
      case 'observe':
        await this.#write()
        return desired.hasOpenOperation ? waiting(waitMs) : done
      case 'applySnapshot':
        await atFailpoint(stepFailpoint(noun.createKind, 'snapshot'), () => this.#apply())
        return again
      case 'open':
        await atFailpoint(stepFailpoint(noun.createKind, 'ready'), () =>
          unit((op, row) => record.opened(op, row, observed)),
        )
        return done
      case 'removeSnapshot':
        await this.#write()
        await this.#remove(step.uid)
        return again
      case 'erase':
        await atFailpoint(stepFailpoint(noun.deleteKind, 'gone'), () =>
          unit((op, row) => record.erase(op, row)),
        )
        return done
      case 'fail':
        await unit((op, row) => record.fail(op, row, step))
        return atOnce
    }
  }

  #write(): Promise<void> {
    const { record, unit, observed } = this.#parts
    return unit((op, row) => Promise.resolve(record.observe(op, row, observed)))
  }

  /**
   * Deletes the snapshot. A snapshot that was given up has no delete operation, so its removal has
   * no failpoint.
   */
  async #remove(uid: string): Promise<void> {
    const { noun, desired, writer, reference } = this.#parts
    const act = () => writer.deleteObject(noun.object, reference, uid)
    await (desired.deleteRequested
      ? atFailpoint(stepFailpoint(noun.deleteKind, 'snapshot'), act)
      : act())
  }

  async #apply(): Promise<void> {
    const { noun, record, unit, desired, writer, reference } = this.#parts
    const { tenantId, rowId, desired: spec } = desired
    try {
      const { uid } = await noun.apply(writer, { ...reference, tenantId, rowId, uid: null }, spec)
      await unit((op, row) => record.applied(op, row, uid))
    } catch (error) {
      if (!isFinalRefusal(error)) throw error
      const why = refusedWrite(error, messageOf('snapshot.refused'), {
        name_taken: messageOf('snapshot.name_in_use'),
      })
      await unit((op, row) => record.fail(op, row, why))
    }
  }
}
