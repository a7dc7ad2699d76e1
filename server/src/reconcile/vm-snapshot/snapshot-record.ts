import { type FaultCode } from '../../engine/model/fault.ts'
import {
  type DesiredSnapshot,
  type ObservedSnapshot,
  isSettled,
  stateOf,
} from '../../domain/volume-snapshot/state.ts'
import { explainObstacle } from '../../domain/volume-snapshot/explain.ts'
import { type Op } from '../../store/op.ts'
import { type SnapshotColumns, type SnapshotStore } from '../../store/vm-snapshot/snapshot-store.ts'
import { type Unit } from '../fenced-unit.ts'
import { differsFromRow } from '../../engine/reconcile/row-difference.ts'
import { type Attendance, OpenOperations } from '../open-operations.ts'
import { type Message } from '../../engine/model/message.ts'

/** A kind of snapshot: its store, its operations and its own fields. */
export interface SnapshotNoun<
  Row extends SnapshotColumns,
  Observed extends ObservedSnapshot,
  Desired,
> {
  kind: 'volume_snapshot' | 'vm_snapshot'
  createKind: 'create_volume_snapshot' | 'create_vm_snapshot'
  deleteKind: 'delete_volume_snapshot' | 'delete_vm_snapshot'
  storeOf: (op: Op) => SnapshotStore<Row>
  /** Returns the kind's own part of the desired state. */
  desiredOf: (op: Op, row: Row) => Promise<Desired>
  /** Returns the kind's own observed columns, besides the state. */
  observedOf: (row: Row, desired: DesiredSnapshot, observed: Observed | null) => Partial<Row>
}

/** The desired snapshot, with everything needed to carry it out. */
export interface SnapshotTarget<Desired> extends DesiredSnapshot {
  tenantId: string
  namespace: string
  hasOpenOperation: boolean
  needsReview: boolean
  desired: Desired
}

const commonDesiredOf = (row: SnapshotColumns): DesiredSnapshot => ({
  rowId: row.id,
  clusterUid: row.clusterUid ?? null,
  isTaken: Boolean(row.takenAt),
  deleteRequested: Boolean(row.deleteRequestedAt),
  hasFailed: Boolean(row.failedAt),
  isGone: Boolean(row.goneAt),
})

/**
 * The writes of the reconcilers of volume snapshots and VM snapshots. Each is one transaction, and
 * applies only while the row still desires it.
 */
export class SnapshotRecord<
  Row extends SnapshotColumns,
  Observed extends ObservedSnapshot,
  Desired,
> {
  readonly #noun: SnapshotNoun<Row, Observed, Desired>

  constructor(noun: SnapshotNoun<Row, Observed, Desired>) {
    this.#noun = noun
  }

  /** Loads the desired state, and whether an operation needs a review after the pass. */
  async loadDesired(op: Op, snapshot: Row | null): Promise<SnapshotTarget<Desired> | null> {
    const tenant = snapshot ? await op.reads.tenants.find(snapshot.tenantId) : null
    if (!snapshot || !tenant) return null
    const { createKind, deleteKind, desiredOf } = this.#noun
    const operations = await this.#on(op, snapshot)
    if (!snapshot.goneAt) this.#begin(snapshot, operations)
    return {
      ...commonDesiredOf(snapshot),
      tenantId: snapshot.tenantId,
      namespace: tenant.namespace,
      hasOpenOperation: operations.isOpen(createKind) || operations.isOpen(deleteKind),
      needsReview: !snapshot.goneAt && operations.needReview,
      desired: await desiredOf(op, snapshot),
    }
  }

  async applied(op: Op, snapshot: Row | null, uid: string): Promise<void> {
    if (!isStillDesired(snapshot)) return
    this.#noun.storeOf(op).recordCreated(snapshot, uid)
    const operations = await this.#on(op, snapshot)
    operations.finish(this.#noun.createKind, 'snapshot')
    operations.begin(this.#noun.createKind, 'ready')
  }

  async opened(op: Op, snapshot: Row | null, observed: Observed | null): Promise<void> {
    if (!isStillDesired(snapshot) || snapshot.takenAt) return
    this.#noun.storeOf(op).recordTaken(snapshot)
    const operations = await this.#on(op, snapshot)
    operations.complete(this.#noun.createKind)
    this.observe(op, snapshot, observed)
  }

  /** Records the observed state. */
  observe(op: Op, snapshot: Row | null, observed: Observed | null): void {
    if (!snapshot || snapshot.goneAt) return
    const desired = commonDesiredOf(snapshot)
    const state = stateOf(desired, observed)
    const status: Partial<Row> = {
      state,
      settled: isSettled(desired, state),
      observedVersion: observed?.version ?? null,
      ...this.#noun.observedOf(snapshot, desired, observed),
    }
    if (!differsFromRow(snapshot, status)) return
    this.#noun.storeOf(op).observe(snapshot, status)
    this.#recordChange(op, snapshot)
  }

  async fail(
    op: Op,
    snapshot: Row | null,
    { code, detail }: { code: FaultCode; detail: Message },
  ): Promise<void> {
    if (!isStillDesired(snapshot)) return
    const operations = await this.#on(op, snapshot)
    operations.failAll(code, detail)
    // A snapshot that was taken stays. One that could not be taken is given up.
    if (!snapshot.takenAt) this.#giveUp(op, snapshot)
  }

  async erase(op: Op, snapshot: Row | null): Promise<void> {
    if (!snapshot?.deleteRequestedAt || snapshot.goneAt) return
    const operations = await this.#on(op, snapshot)
    operations.complete(this.#noun.deleteKind)
    this.#noun.storeOf(op).erase(snapshot)
    this.#recordChange(op, snapshot)
  }

  /**
   * Ends operations that are past their deadline. Call it after the snapshot was observed. An
   * incomplete snapshot is given up: it holds nothing that its source does not hold, and it would
   * block changes of its VM.
   */
  async expire(op: Op, snapshot: Row | null, attendance: Attendance): Promise<void> {
    if (!snapshot || snapshot.goneAt) return
    const late = (await this.#on(op, snapshot)).expire(attendance)
    if (late.includes(this.#noun.createKind) && !snapshot.takenAt) this.#giveUp(op, snapshot)
  }

  /** Records what the operator must provide before the snapshot can be reconciled. */
  async block(op: Op, snapshot: Row | null, obstacle: Message): Promise<void> {
    if (!snapshot || snapshot.goneAt) return
    const operations = await this.#on(op, snapshot)
    operations.block(obstacle)
    const explanation = explainObstacle(obstacle)
    if (!differsFromRow(snapshot, { explanation })) return
    this.#noun.storeOf(op).explain(snapshot, explanation)
    this.#recordChange(op, snapshot)
  }

  #begin(snapshot: Row, operations: OpenOperations): void {
    const { createKind, deleteKind } = this.#noun
    if (snapshot.deleteRequestedAt) operations.supersedeAll(deleteKind)
    for (const kind of [createKind, deleteKind]) operations.begin(kind, 'snapshot')
  }

  #giveUp(op: Op, snapshot: Row): void {
    this.#noun.storeOf(op).giveUp(snapshot)
    this.observe(op, snapshot, null)
  }

  #on(op: Op, { id }: Row): Promise<OpenOperations> {
    return OpenOperations.on(op, { kind: this.#noun.kind, id })
  }

  #recordChange(op: Op, { id, version, tenantId }: Row): void {
    op.changes.record(this.#noun.kind, { id, version: version + 1, tenantId })
  }
}

/** True when the row still desires the snapshot for which the step was decided. */
const isStillDesired = <Row extends SnapshotColumns>(row: Row | null): row is Row =>
  row !== null && !row.goneAt && !row.deleteRequestedAt && !row.failedAt

/** One fenced transaction on the row of a snapshot. */
export type SnapshotUnit<Row> = Unit<Row>
