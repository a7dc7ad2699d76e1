import {
  type ListQuery,
  byId,
  byStates,
  isNewestOf,
  byText,
  listReads,
} from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { LockMode, raw } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationState, isFinal } from '../../domain/operation/lifecycle.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type OperationProgress, type OperationStep } from '../../domain/operation/progress.ts'
import { newId } from '../../runtime/ids.ts'
import { Operation } from './operation-entity.ts'
import { type SortKey } from '../../engine/database/sql/page.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type Message } from '../../engine/model/message.ts'

export interface OperationQuery extends Pick<ListQuery, 'direction'> {
  states?: readonly OperationState[] | null
  kind?: string | null
  targetKind?: string | null
  targetId?: string | null
  actorId?: string | null
}

export interface NewOperation extends Pick<
  Operation,
  'tenantId' | 'kind' | 'targetKind' | 'targetId' | 'targetName' | 'actorId' | 'actorName'
> {
  steps: readonly OperationStep[]
  deadlineSeconds: number
  cancellable: boolean
  requestId: string
}

/**
 * Writes operations in the transaction of a unit of work. Use cases open them; reconcilers record
 * their progress and end them.
 */
export class OperationStore extends UnitStore {
  /**
   * Sets the deadline by the database's clock, so no replica's own clock decides when an operation
   * is late.
   */
  open({ steps, ...values }: NewOperation): Promise<OperationView> {
    return only(this.reader, statement('operation.insert', inserting), {
      id: newId(),
      steps: JSON.stringify(steps),
      ...values,
    })
  }

  get(id: string): Promise<Operation> {
    return this.lockById(Operation, { id }, 'operation')
  }

  /** Records the progress and moves the deadline. The times come from the database. */
  advance(operation: Operation, { state, steps, progress }: OperationProgress): void {
    if (operation.startedAt === null || operation.startedAt === undefined)
      operation.startedAt = raw('clock_timestamp()')
    operation.state = state
    operation.steps = steps
    operation.progress = progress
    this.postpone(operation)
    if (isFinal(state)) operation.finishedAt = raw('clock_timestamp()')
  }

  /** Records what the operation waits for. Its deadline counts from the end of the wait. */
  waitFor(operation: Operation, obstacle: Message): void {
    this.postpone(operation)
    operation.waitsFor = obstacle
  }

  /**
   * Gives the operation as much time without progress again as it had at its beginning. It waits
   * for nothing any more.
   */
  postpone(operation: Operation): void {
    operation.waitsFor = null
    const endMs = Date.parse(this.unit.now) + operation.deadlineSeconds * 1_000
    operation.deadline = new Date(endMs).toISOString()
  }

  fail(operation: Operation, code: FaultCode, detail: Message): void {
    operation.faultCode = code
    operation.faultDetail = detail
  }

  replace(operation: Operation, by: string): void {
    operation.supersededBy = by
  }

  /** The database's clock as text, for the times of steps and for deadlines. */
  get now(): string {
    return this.unit.now
  }

  requestCancel(operation: Operation): void {
    operation.cancelRequestedAt = raw('coalesce(cancel_requested_at, now())')
  }

  /** Returns the unfinished operations on a target, oldest first. */
  unfinished(targetKind: string, targetId: string): Promise<Operation[]> {
    return this.unit.em.find(
      Operation,
      { targetKind, targetId, finishedAt: null },
      { orderBy: { createdAt: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    )
  }

  /** Returns the unfinished operations of a tenant, oldest first. */
  unfinishedIn(tenantId: string): Promise<Operation[]> {
    return this.unit.em.find(
      Operation,
      { tenantId, finishedAt: null },
      { orderBy: { createdAt: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    )
  }
}

/** Reads operations as clients see them. */
export class OperationReads extends listReads<'operation', OperationView, OperationQuery>({
  stem: 'operation',
  tenantColumn: 'operation.tenant_id',
  rows: (db) => db.selectFrom('operation').select(shown),
  counted: (db) => db.selectFrom('operation').select(countAll),
  narrowedBy: {
    states: { ...byStates(), applies: isSet },
    kind: { ...byText(sql.ref('kind'), 'kind'), applies: isSet },
    targetKind: { ...byText(sql.ref('target_kind'), 'targetKind'), applies: isSet },
    targetId: { ...byId('target_id', 'targetId'), applies: isSet },
    actorId: { ...byId('actor_id', 'actorId'), applies: isSet },
  },
  sortedBy: () => keys,
  direction: 'desc',
}) {
  /** Returns the newest operations on each of these objects, newest first. */
  newestOn(
    targetKind: string,
    targetIds: readonly string[],
    first: number,
  ): Promise<OperationView[]> {
    return this.allWhere('newestOn', { targetKind, owners: targetIds, first }, (operations) =>
      operations.where(isNewestOnTarget).orderBy('created_at', 'desc').orderBy('id', 'desc'),
    )
  }
}

const isNewestOnTarget = isNewestOf({
  table: 'operation',
  owner: 'target_id',
  time: 'created_at',
  where: sql`each.target_kind = ${slot('targetKind')}`,
})

const keys: readonly SortKey<OperationView>[] = [
  { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt },
  { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id },
]

const shown = [
  ...([
    'id',
    'kind',
    'state',
    'steps',
    'progress',
    'cancellable',
    'version',
    'tenant_id as tenantId',
  ] as const),
  ...([
    'target_kind as targetKind',
    'target_id as targetId',
    'target_name as targetName',
    'actor_id as actorId',
  ] as const),
  ...([
    'actor_name as actorName',
    'fault_code as faultCode',
    'fault_detail as faultDetail',
    'waits_for as waitsFor',
    'superseded_by as supersededBy',
  ] as const),
  'deadline',
  'created_at as createdAt',
  'cancel_requested_at as cancelRequestedAt',
  'started_at as startedAt',
  'finished_at as finishedAt',
] as const

const inserting = (db: Kysely<Tables>) =>
  db
    .insertInto('operation')
    .values({
      id: slot<string>('id'),
      tenant_id: slot<string>('tenantId'),
      kind: slot<string>('kind'),
      target_kind: slot<string>('targetKind'),
      target_id: slot<string>('targetId'),
      target_name: slot<string>('targetName'),
      actor_id: slot<string>('actorId'),
      actor_name: slot<string>('actorName'),
      steps: sql`cast(${slot('steps')} as jsonb)`,
      payload: sql`'{}'::jsonb`,
      cancellable: slot<boolean>('cancellable'),
      request_id: slot<string>('requestId'),
      deadline: sql<string>`now() + make_interval(secs => ${slot('deadlineSeconds')})`,
      deadline_seconds: slot<number>('deadlineSeconds'),
    })
    .returning(shown)

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
