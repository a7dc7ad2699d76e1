import { type FaultCode } from '../engine/model/fault.ts'
import { advanceStep, beginStep, finishOperation, finishStep } from '../domain/operation/advance.ts'
import {
  type Ending,
  cancelledByUser,
  mustBeCancelled,
  isOverdue,
  timedOut,
} from '../domain/operation/deadline.ts'
import { type OperationKind, operationKinds } from '../domain/nouns.ts'
import { differsFromRow } from '../engine/reconcile/row-difference.ts'
import { isFinal } from '../domain/operation/lifecycle.ts'
import { type OperationProgress } from '../domain/operation/progress.ts'
import { type Op } from '../store/op.ts'
import { type Message, messageOf } from '../engine/model/message.ts'

type Row = Awaited<ReturnType<Op['operations']['unfinished']>>[number]

/** Tells whether workers attended to an object before its deadline. */
export interface Attendance {
  readonly wasUnattended: boolean
}

const inUnit = new WeakMap<Op, Map<string, Promise<OpenOperations>>>()

/**
 * The open operations of one object, and the transitions that a reconciler makes on them. Every
 * change belongs to one fenced unit of work.
 */
export class OpenOperations {
  readonly #op: Op
  readonly #rows: readonly Row[]

  private constructor(op: Op, rows: readonly Row[]) {
    this.#op = op
    this.#rows = rows
  }

  get #now(): string {
    return this.#op.operations.now
  }

  /**
   * Loads the open operations once per unit of work. Their rows are locked, so a second read would
   * return the same.
   */
  static on(op: Op, { kind, id }: { kind: string; id: string }): Promise<OpenOperations> {
    const cache = inUnit.get(op) ?? new Map<string, Promise<OpenOperations>>()
    const read =
      cache.get(`${kind} ${id}`) ??
      op.operations.unfinished(kind, id).then((rows) => new OpenOperations(op, rows))
    inUnit.set(op, cache.set(`${kind} ${id}`, read))
    return read
  }

  /** Loads the open operations of a tenant and of everything in it. */
  static async inTenant(op: Op, tenantId: string): Promise<OpenOperations> {
    return new OpenOperations(op, await op.operations.unfinishedIn(tenantId))
  }

  /**
   * Returns the time since the last progress of the open operation of this kind, by the database's
   * clock; 0 when there is none. A wait for the operator does not count.
   */
  sinceProgressMs(kind: OperationKind): number {
    const row = this.#rows.find((each) => each.kind === kind)
    if (!row) return 0
    const progressedMs = Date.parse(row.deadline) - row.deadlineSeconds * 1_000
    return Math.max(0, Date.parse(this.#now) - progressedMs)
  }

  /** True when an operation of this kind has not ended. */
  isOpen(kind: OperationKind): boolean {
    return this.#rows.some((row) => row.kind === kind && !isFinal(row.state))
  }

  /** True when an operation of this kind is open and has finished this step. */
  isStepDone(kind: OperationKind, step: string): boolean {
    const open = this.#rows.filter((row) => row.kind === kind && !isFinal(row.state))
    return open.some(({ steps }) =>
      steps.some(({ name, state }) => name === step && state === 'done'),
    )
  }

  /** True when an operation is past its deadline, or waited for the operator at the last pass. */
  get needReview(): boolean {
    return this.#rows.some((row) => row.waitsFor || isOverdue(row, this.#now))
  }

  begin(kind: OperationKind, step: string): void {
    this.#move(kind, (progress) => beginStep(progress, step, this.#now))
  }

  /** Records how much of the step is done, in per cent. */
  advance(kind: OperationKind, step: string, percent: number): void {
    this.#move(kind, (progress) => advanceStep(progress, step, percent))
  }

  finish(kind: OperationKind, step: string): void {
    this.#move(kind, (progress) => finishStep(progress, step, { at: this.#now }))
  }

  /** Skips the step: it had no effect, and no other step depends on it. */
  skip(kind: OperationKind, step: string): void {
    this.#move(kind, (progress) => finishStep(progress, step, { at: this.#now, as: 'skipped' }))
  }

  /** Finishes every remaining step and ends the operation as succeeded. */
  complete(kind: OperationKind): void {
    for (const step of operationKinds[kind].steps) this.finish(kind, step)
    this.succeed(kind)
  }

  succeed(kind: OperationKind): void {
    this.#move(kind, (progress) => finishOperation(progress, 'succeeded', this.#now))
  }

  /** Supersedes the open operations of this kind by the newer operation. */
  supersede(kind: OperationKind, by: OperationKind): void {
    this.#supersede((row) => row.kind === kind, by)
  }

  /** Supersedes all other open operations by the newer operation. */
  supersedeAll(by: OperationKind): void {
    this.#supersede((row) => row.kind !== by, by)
  }

  /**
   * Ends all operations of a deleted tenant: pending deletes succeed, all other operations fail.
   */
  endWithTenant(): void {
    for (const row of this.#rows.filter(({ kind }) => kind !== 'delete_tenant')) {
      if (row.kind.startsWith('delete_'))
        this.#apply(row, finishOperation(progressOf(row), 'succeeded', this.#now))
      else
        this.#end(row, {
          state: 'failed',
          code: 'tenant_deleting',
          detail: messageOf('tenant.deleted_with'),
        })
    }
  }

  failAll(code: FaultCode, detail: Message): void {
    for (const row of this.#rows) this.#end(row, { state: 'failed', code, detail })
  }

  /** Fails the operations of this kind. Operations of other kinds stay open. */
  failKind(kind: OperationKind, { code, detail }: { code: FaultCode; detail: Message }): void {
    for (const row of this.#rows)
      if (row.kind === kind) this.#end(row, { state: 'failed', code, detail })
  }

  /** Ends operations that a user cancelled. Returns true when there was one. */
  cancel(): boolean {
    const cancelled = this.#rows.filter(mustBeCancelled)
    for (const row of cancelled) this.#end(row, cancelledByUser)
    return cancelled.length > 0
  }

  /**
   * Records what the operations wait for until the operator has provided it. Their time begins
   * again, so that none of them ends by its deadline before.
   */
  block(obstacle: Message): void {
    for (const row of this.#rows) {
      if (!differsFromRow(row, { waitsFor: obstacle }) && !isOverdue(row, this.#now)) continue
      this.#op.operations.waitFor(row, obstacle)
      this.#recordChange(row)
    }
  }

  /**
   * Fails the operations that made no progress until their deadline; call it after the cluster was
   * observed. When no worker attended to them, or they waited for the operator, their time begins
   * again instead. Returns the kinds that failed.
   */
  expire({ wasUnattended }: Attendance): OperationKind[] {
    const open = this.#rows.filter(({ state }) => !isFinal(state))
    for (const row of open.filter(({ waitsFor }) => waitsFor)) this.#postpone(row)
    const late = open.filter((row) => isOverdue(row, this.#now))
    for (const row of late) {
      if (wasUnattended) this.#postpone(row)
      else this.#end(row, timedOut)
    }
    // The kinds of rows are those of the registry.
    return wasUnattended ? [] : late.map(({ kind }) => kind as OperationKind)
  }

  #postpone(row: Row): void {
    this.#op.operations.postpone(row)
    this.#recordChange(row)
  }

  #end(row: Row, { state, code, detail }: Ending): void {
    this.#op.operations.fail(row, code, detail)
    this.#apply(row, finishOperation(progressOf(row), state, this.#now))
  }

  #supersede(isSuperseded: (row: Row) => boolean, by: OperationKind): void {
    const newer = this.#rows.find((row) => row.kind === by)
    if (!newer) return
    for (const row of this.#rows.filter((each) => isSuperseded(each) && !isFinal(each.state))) {
      this.#op.operations.replace(row, newer.id)
      this.#apply(row, finishOperation(progressOf(row), 'superseded', this.#now))
    }
  }

  #move(
    kind: OperationKind,
    change: (progress: OperationProgress) => OperationProgress | null,
  ): void {
    for (const row of this.#rows)
      if (row.kind === kind && !isFinal(row.state)) this.#apply(row, change(progressOf(row)))
  }

  #apply(row: Row, next: OperationProgress | null): void {
    if (!next || JSON.stringify(next) === JSON.stringify(progressOf(row))) return
    this.#op.operations.advance(row, next)
    this.#recordChange(row)
  }

  #recordChange({ id, version, tenantId }: Row): void {
    this.#op.changes.record('operation', { id, version: version + 1, tenantId })
  }
}

const progressOf = ({ state, steps, progress }: Row): OperationProgress => ({
  state,
  steps,
  progress: progress ?? null,
})
