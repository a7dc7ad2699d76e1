import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { reactions } from '../../engine/kube/cluster-error.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { type SnapshotStep } from '../../domain/volume-snapshot/next-step.ts'
import { type SeenSnapshot } from '../../domain/volume-snapshot/state.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type SnapshotColumns } from '../../store/vm-snapshot/snapshot-store.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
} from '../../engine/reconcile/reconciler.ts'
import { type SnapshotNoun, type SnapshotToKeep, SnapshotRecord } from './snapshot-record.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface SnapshotReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
}

interface Place {
  namespace: string
  name: string
}

/**
 * What a look brought: the snapshot, and whether something of it still takes room where it is gone
 * itself.
 */
interface Look<Seen> {
  seen: Seen | null
  isLeft: boolean
}

/** What the cluster has to do with a kind of snapshot. */
export interface SnapshotOfCluster<
  Row extends SnapshotColumns,
  Seen extends SeenSnapshot,
  Wanted,
> extends SnapshotNoun<Row, Seen, Wanted> {
  object: 'volumeSnapshot' | 'vmSnapshot'
  nameOf: (id: string) => string
  look: (reader: ClusterReader, place: Place, asked: SnapshotToKeep<Wanted>) => Promise<Look<Seen>>
  nextStep: (asked: SnapshotToKeep<Wanted>, seen: Seen | null) => SnapshotStep
  /** Tells the cluster; answers with the identity of what is there then. */
  apply: (writer: ClusterWriter, owned: Owned, wanted: Wanted) => Promise<{ uid: string }>
}

export interface Owned extends Place {
  tenantId: string
  rowId: string
  uid: null
}

/**
 * Keeps a snapshot as it was asked: taken once, never again under the same name, and removed with
 * all that it holds.
 */
export function snapshotReconciler<Row extends SnapshotColumns, Seen extends SeenSnapshot, Wanted>(
  noun: SnapshotOfCluster<Row, Seen, Wanted>,
  { store, work, cluster, waitMs = 500 }: SnapshotReconcilerParts,
): Reconciler {
  const record = new SnapshotRecord(noun)
  const unitFor = fencedUnits({ store, work }, (op, id) => noun.storeOf(op).row(id))

  return {
    kind: noun.kind,
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const asked = await unit((op, row) => record.askedOf(op, row))
      if (!asked) return done
      const place = { namespace: asked.namespace, name: noun.nameOf(asked.rowId) }
      const { seen, isLeft } = await noun.look(cluster.reader, place, asked)
      const step = noun.nextStep(asked, seen)
      if (step.do === 'erase' && isLeft) return { again: { afterMs: waitMs } }
      return new Taking({
        noun,
        record,
        unit,
        asked,
        seen,
        writer: cluster.writer,
        place,
        waitMs,
      }).take(step)
    },
    gaveUp: (key, lease) => unitFor(key, lease)((op, row) => record.fail(op, row, outOfTime)),
  }
}

interface TakingParts<Row extends SnapshotColumns, Seen extends SeenSnapshot, Wanted> {
  noun: SnapshotOfCluster<Row, Seen, Wanted>
  record: SnapshotRecord<Row, Seen, Wanted>
  unit: Unit<Row>
  asked: SnapshotToKeep<Wanted>
  seen: Seen | null
  writer: ClusterWriter
  place: Place
  waitMs: number
}

class Taking<Row extends SnapshotColumns, Seen extends SeenSnapshot, Wanted> {
  readonly #parts: TakingParts<Row, Seen, Wanted>

  constructor(parts: TakingParts<Row, Seen, Wanted>) {
    this.#parts = parts
  }

  async take(step: SnapshotStep): Promise<Outcome> {
    const { noun, record, unit, asked, seen, waitMs } = this.#parts
    const again: Outcome = { again: { afterMs: waitMs } }
    switch (step.do) {
      case 'nothing':
        return done
      case 'wait':
        await this.#write()
        return again
      case 'observe':
        await this.#write()
        return asked.isPromised ? again : done
      case 'applySnapshot':
        await atFailpoint(stepPoint(noun.making, 'snapshot'), () => this.#apply())
        return again
      case 'open':
        await atFailpoint(stepPoint(noun.making, 'ready'), () =>
          unit((op, row) => record.opened(op, row, seen)),
        )
        return done
      case 'removeSnapshot':
        await this.#write()
        await this.#remove(step.uid)
        return again
      case 'erase':
        await atFailpoint(stepPoint(noun.removing, 'gone'), () =>
          unit((op, row) => record.erase(op, row)),
        )
        return done
      case 'fail':
        await unit((op, row) => record.fail(op, row, step))
        return atOnce
    }
  }

  #write(): Promise<void> {
    const { record, unit, seen } = this.#parts
    return unit((op, row) => Promise.resolve(record.observe(op, row, seen)))
  }

  /** Also of one that was given up, which nobody was promised. */
  async #remove(uid: string): Promise<void> {
    const { noun, asked, writer, place } = this.#parts
    const act = () => writer.deleteObject(noun.object, place, uid)
    await (asked.deleteRequested ? atFailpoint(stepPoint(noun.removing, 'snapshot'), act) : act())
  }

  async #apply(): Promise<void> {
    const { noun, record, unit, asked, writer, place } = this.#parts
    const { tenantId, rowId, wanted } = asked
    try {
      const { uid } = await noun.apply(writer, { ...place, tenantId, rowId, uid: null }, wanted)
      await unit((op, row) => record.applied(op, row, uid))
    } catch (error) {
      if (!isRefusal(error)) throw error
      const why = {
        code: reactions[error.trouble].fault,
        detail: messageOf('snapshot.refused'),
      }
      await unit((op, row) => record.fail(op, row, why))
    }
  }
}
