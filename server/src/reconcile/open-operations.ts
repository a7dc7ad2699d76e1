import { type FaultCode } from '../engine/model/fault.ts'
import { beginStep, finishOperation, finishStep } from '../domain/operation/advance.ts'
import { type Ending, endingOf } from '../domain/operation/deadline.ts'
import { type OperationKind, operationKinds } from '../domain/nouns.ts'
import { isFinal } from '../domain/operation/lifecycle.ts'
import { type OperationProgress } from '../domain/operation/progress.ts'
import { type Op } from '../store/op.ts'
import { type Message, messageOf } from '../engine/model/message.ts'

type Row = Awaited<ReturnType<Op['operations']['unfinished']>>[number]

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
   * Returns the age of the open operation of this kind by the database's clock, or 0 when there is
   * none.
   */
  ageMs(kind: OperationKind): number {
    const row = this.#rows.find((each) => each.kind === kind)
    return row ? Math.max(0, new Date(this.#now).getTime() - new Date(row.createdAt).getTime()) : 0
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

  begin(kind: OperationKind, step: string): void {
    this.#move(kind, (progress) => beginStep(progress, step, this.#now))
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

  /**
   * Ends operations that are past their deadline or cancelled. Returns the first ending, or null
   * when none ended.
   */
  expire(): Ending | null {
    const late = this.#rows.flatMap((row) => {
      const due = {
        ...row,
        deadline: new Date(row.deadline),
        cancelRequestedAt: row.cancelRequestedAt ? new Date(row.cancelRequestedAt) : null,
      }
      const ending = endingOf(due, new Date(this.#now))
      return ending ? [{ row, ending }] : []
    })
    for (const { row, ending } of late) this.#end(row, ending)
    return late[0]?.ending ?? null
  }

  #end(
    row: Row,
    { state, code, detail }: { state: 'failed' | 'cancelled'; code: FaultCode; detail: Message },
  ): void {
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
    this.#op.changes.record('operation', {
      id: row.id,
      version: row.version + 1,
      tenantId: row.tenantId,
    })
  }
}

const progressOf = ({ state, steps, progress }: Row): OperationProgress => ({
  state,
  steps,
  progress: progress ?? null,
})
