import { type FaultCode } from '../../engine/model/fault.ts'
import {
  type AskedSnapshot,
  type SeenSnapshot,
  isSettled,
  stateOf,
} from '../../domain/volume-snapshot/state.ts'
import { type Op } from '../../store/op.ts'
import { type SnapshotColumns, type SnapshotStore } from '../../store/vm-snapshot/snapshot-store.ts'
import { type Unit } from '../fenced-unit.ts'
import { isNews } from '../../engine/reconcile/news.ts'
import { Promises } from '../promise.ts'
import { type Message } from '../../engine/model/message.ts'

/** A kind of snapshot: how its rows are kept, and what is particular to it. */
export interface SnapshotNoun<Row extends SnapshotColumns, Seen extends SeenSnapshot, Wanted> {
  kind: 'volume_snapshot' | 'vm_snapshot'
  making: 'create_volume_snapshot' | 'create_vm_snapshot'
  removing: 'delete_volume_snapshot' | 'delete_vm_snapshot'
  storeOf: (op: Op) => SnapshotStore<Row>
  /** What it takes to carry out what the row asks for. */
  wantedOf: (op: Op, row: Row) => Promise<Wanted>
  /** What a look found, beside the state. */
  foundOf: (row: Row, asked: AskedSnapshot, seen: Seen | null) => Partial<Row>
}

/** What the row of a snapshot says, with everything that it takes to carry it out. */
export interface SnapshotToKeep<Wanted> extends AskedSnapshot {
  tenantId: string
  namespace: string
  isPromised: boolean
  wanted: Wanted
}

const askedIn = (row: SnapshotColumns): AskedSnapshot => ({
  rowId: row.id,
  clusterUid: row.clusterUid ?? null,
  isTaken: Boolean(row.takenAt),
  deleteRequested: Boolean(row.deleteRequestedAt),
  hasFailed: Boolean(row.failedAt),
  isGone: Boolean(row.goneAt),
})

/**
 * What the reconcilers of snapshots write; each in one transaction, and only while the row still
 * asks for it.
 */
export class SnapshotRecord<Row extends SnapshotColumns, Seen extends SeenSnapshot, Wanted> {
  readonly #noun: SnapshotNoun<Row, Seen, Wanted>

  constructor(noun: SnapshotNoun<Row, Seen, Wanted>) {
    this.#noun = noun
  }

  /** What the row asks for, and first of all whether time is up for what was promised. */
  async askedOf(op: Op, snapshot: Row | null): Promise<SnapshotToKeep<Wanted> | null> {
    const tenant = snapshot ? await op.reads.tenants.find(snapshot.tenantId) : null
    if (!snapshot || !tenant) return null
    const { making, removing, wantedOf } = this.#noun
    const promises = await this.#on(op, snapshot)
    if (!snapshot.goneAt) this.#begin(op, snapshot, promises)
    return {
      ...askedIn(snapshot),
      tenantId: snapshot.tenantId,
      namespace: tenant.namespace,
      isPromised: promises.isOpen(making) || promises.isOpen(removing),
      wanted: await wantedOf(op, snapshot),
    }
  }

  async applied(op: Op, snapshot: Row | null, uid: string): Promise<void> {
    if (!isWanted(snapshot)) return
    this.#noun.storeOf(op).made(snapshot, uid)
    const promises = await this.#on(op, snapshot)
    promises.finish(this.#noun.making, 'snapshot')
    promises.begin(this.#noun.making, 'ready')
  }

  async opened(op: Op, snapshot: Row | null, seen: Seen | null): Promise<void> {
    if (!isWanted(snapshot) || snapshot.takenAt) return
    this.#noun.storeOf(op).taken(snapshot)
    const promises = await this.#on(op, snapshot)
    promises.complete(this.#noun.making)
    this.observe(op, snapshot, seen)
  }

  /** Writes down what was seen. */
  observe(op: Op, snapshot: Row | null, seen: Seen | null): void {
    if (!snapshot || snapshot.goneAt) return
    const asked = askedIn(snapshot)
    const state = stateOf(asked, seen)
    const found: Partial<Row> = {
      state,
      settled: isSettled(asked, state),
      seenVersion: seen?.version ?? null,
      ...this.#noun.foundOf(snapshot, asked, seen),
    }
    if (!isNews(snapshot, found)) return
    this.#noun.storeOf(op).observe(snapshot, found)
    this.#note(op, snapshot)
  }

  async fail(
    op: Op,
    snapshot: Row | null,
    { code, detail }: { code: FaultCode; detail: Message },
  ): Promise<void> {
    if (!isWanted(snapshot)) return
    const promises = await this.#on(op, snapshot)
    promises.fail(code, detail)
    // What was taken stays; what could not be taken leaves nothing behind.
    if (!snapshot.takenAt) this.#giveUp(op, snapshot)
  }

  async erase(op: Op, snapshot: Row | null): Promise<void> {
    if (!snapshot?.deleteRequestedAt || snapshot.goneAt) return
    const promises = await this.#on(op, snapshot)
    promises.complete(this.#noun.removing)
    this.#noun.storeOf(op).erase(snapshot)
    this.#note(op, snapshot)
  }

  #begin(op: Op, snapshot: Row, promises: Promises): void {
    const { making, removing } = this.#noun
    if (snapshot.deleteRequestedAt) promises.supersedeAll(removing)
    for (const kind of [making, removing]) promises.begin(kind, 'snapshot')
    const wasComing = promises.isOpen(making)
    promises.expire()
    if (wasComing && !promises.isOpen(making)) this.#giveUp(op, snapshot)
  }

  #giveUp(op: Op, snapshot: Row): void {
    this.#noun.storeOf(op).giveUp(snapshot)
    this.observe(op, snapshot, null)
  }

  #on(op: Op, { id }: Row): Promise<Promises> {
    return Promises.on(op, { kind: this.#noun.kind, id })
  }

  #note(op: Op, { id, version, tenantId }: Row): void {
    op.changes.note(this.#noun.kind, { id, version: version + 1, tenantId })
  }
}

/** Whether the row still asks for what the decision was made about. */
const isWanted = <Row extends SnapshotColumns>(row: Row | null): row is Row =>
  row !== null && !row.goneAt && !row.deleteRequestedAt && !row.failedAt

/** One fenced transaction on the row of a snapshot. */
export type SnapshotUnit<Row> = Unit<Row>
