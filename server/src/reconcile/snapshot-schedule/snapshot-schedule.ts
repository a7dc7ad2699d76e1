import { type FaultCode, Fault } from '../../engine/model/fault.ts'
import { nextDueTime } from '../../domain/snapshot-schedule/due.ts'
import {
  type ScheduleStep,
  shouldRetry,
  nextStep,
  surplusSnapshots,
} from '../../domain/snapshot-schedule/next-step.ts'
import { maxFailures } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { scheduleFailpoint } from '../../domain/snapshot-schedule/steps.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { type ObservedScheduleState } from '../../store/snapshot-schedule/snapshot-schedule.ts'
import { type SourceParts } from '../source-parts.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { outageIn } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  atOnce,
  done,
  outOfTime,
} from '../../engine/reconcile/reconciler.ts'
import { type Source } from '../../engine/reconcile/sources.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/*
 * The snapshot is requested in the same transaction that records the due run. The worker's lease
 * and the locked row make each run happen once or not at all. Scheduled snapshots obey the same
 * refusals and the same quota as all other snapshots, and then belong to their own reconciler. This
 * reconciler waits for the result, counts failures, and removes surplus snapshots only once the new
 * one exists.
 */
type Row = NonNullable<Awaited<ReturnType<Op['snapshotSchedules']['row']>>>

/** The use cases of snapshots that a schedule calls. */
export interface SnapshotActions {
  take: (op: Op, row: Row, dueMs: number) => Promise<string>
  remove: (op: Op, row: Row, ids: readonly string[]) => Promise<void>
}

interface SnapshotScheduleParts extends UnitParts {
  snapshots: SnapshotActions
  /** The delay between checks of a snapshot that is being taken. */
  waitMs?: number
  /** The delay before a refused run is tried again. */
  againMs?: number
}

// Clock changes and new time zone rules can move a due time, so no sleep is longer than this.
const longestSleepMs = 60 * 60_000

/** Takes the due snapshots of a schedule and removes surplus ones. */
export function snapshotScheduleReconciler({
  store,
  work,
  snapshots,
  waitMs = 500,
  againMs = 15_000,
}: SnapshotScheduleParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.snapshotSchedules.row(id))

  return {
    kind: 'snapshot_schedule',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const { step, nowMs } = await unit(stepOf)
      switch (step.do) {
        case 'rest':
          return done
        case 'sleep':
          return { again: { afterMs: Math.min(step.dueMs - nowMs, longestSleepMs) } }
        case 'wait':
          return { again: { afterMs: waitMs } }
        case 'settle':
          await atFailpoint(scheduleFailpoint('settle'), () =>
            unit((op, row) => settle(op, row, snapshots)),
          )
          return atOnce
        case 'take':
          return take(unit, { dueMs: step.dueMs, snapshots, againMs })
      }
    },
    gaveUp: (key, lease) =>
      unitFor(
        key,
        lease,
      )((op, row) =>
        Promise.resolve(
          fail(op, row, { code: 'internal', message: outOfTime.detail, mustStop: true }),
        ),
      ),
  }
}

/** Enqueues every schedule on a full pass, which repairs missed notifications. */
export const snapshotScheduleSource = ({
  workKeys: { snapshot_schedule: rows },
}: SourceParts<'snapshot_schedule'>): Source => ({
  changes: {},
  objects: {},
  allKeys: () => keyPages((after) => rows.page(after)),
})

const isActive = ({ goneAt, pausedAt, stoppedAt, resumedAt }: Row): boolean =>
  !goneAt && !pausedAt && !(stoppedAt && Date.parse(stoppedAt) > Date.parse(resumedAt))

/**
 * Returns the next due time after the latest of: last run, last change of the times, last resume.
 */
function dueIn({ cron, timeZone, timedAt, resumedAt, countedUntil }: Row): number | null {
  const from = Math.max(
    ...[timedAt, resumedAt, countedUntil].flatMap((time) => (time ? Date.parse(time) : [])),
  )
  return nextDueTime({ cron, timeZone, timedFrom: new Date(from).toISOString() })
}

async function stepOf(op: Op, row: Row | null): Promise<{ step: ScheduleStep; nowMs: number }> {
  const nowMs = Date.parse(op.snapshotSchedules.now)
  if (!row || row.goneAt) return { step: { do: 'rest' }, nowMs }
  const dueMs = dueIn(row)
  const nextDueAt = dueMs === null ? null : new Date(dueMs).toISOString()
  if (timeOf(row.nextDueAt) !== dueMs) write(op, row, { nextDueAt })
  return {
    step: nextStep({ isActive: isActive(row), dueMs, run: await runOf(op, row) }, nowMs),
    nowMs,
  }
}

const timeOf = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null)

async function runOf(op: Op, row: Row): Promise<'under_way' | 'taken' | 'failed' | 'gone' | null> {
  if (!row.isRunning) return null
  const made = (await op.snapshotSchedules.madeBy(row.id, viewOf(row))).find(
    ({ id }) => id === row.lastSnapshotId,
  )
  if (!made) return 'gone'
  if (made.isTaken) return 'taken'
  return made.hasFailed ? 'failed' : 'under_way'
}

const viewOf = ({ vmId }: Row) => ({ vmId: vmId ?? null })

interface DueRun {
  dueMs: number
  snapshots: SnapshotActions
  againMs: number
}

async function take(unit: Unit<Row>, { dueMs, snapshots, againMs }: DueRun): Promise<Outcome> {
  try {
    await atFailpoint(scheduleFailpoint('take'), () =>
      unit((op, row) => begin(op, row, { dueMs, snapshots })),
    )
    return atOnce
  } catch (error) {
    if (!(error instanceof Fault) || outageIn(error)) throw error
    const { code, userMessage: message } = error
    return {
      again: {
        afterMs: (await unit((op, row) =>
          Promise.resolve(recordRefusal(op, row, { code, message, dueMs })),
        ))
          ? againMs
          : 0,
      },
    }
  }
}

async function begin(
  op: Op,
  row: Row | null,
  { dueMs, snapshots }: Pick<DueRun, 'dueMs' | 'snapshots'>,
): Promise<void> {
  // The schedule was paused, changed or deleted since the decision.
  if (!row || !isActive(row) || dueIn(row) !== dueMs) return
  const lastSnapshotId = await snapshots.take(op, row, dueMs)
  write(op, row, { ...countedAt(op, dueMs), lastSnapshotId, isRunning: true })
}

/** Counts everything that came due until now as one run. */
const countedAt = (op: Op, dueMs: number): ObservedScheduleState => {
  const { now } = op.snapshotSchedules
  return {
    countedUntil: now,
    lastRunAt: now,
    lastDueAt: new Date(dueMs).toISOString(),
    refusedSince: null,
  }
}

interface Refusal {
  code: FaultCode
  message: Message
  dueMs: number
}

/** Returns true when the run is tried again later. Otherwise the run has failed. */
function recordRefusal(op: Op, row: Row | null, { dueMs, ...why }: Refusal): boolean {
  if (!row || !isActive(row) || dueIn(row) !== dueMs) return false
  const { now } = op.snapshotSchedules
  const since = row.refusedSince ?? now
  if (shouldRetry(why.code, Date.parse(now) - Date.parse(since))) {
    if (!row.refusedSince) write(op, row, { refusedSince: now })
    return true
  }
  op.snapshotSchedules.write(row, countedAt(op, dueMs))
  fail(op, row, why)
  return false
}

async function settle(op: Op, row: Row | null, snapshots: SnapshotActions): Promise<void> {
  if (!row) return
  const run = await runOf(op, row)
  // A user deleted the snapshot while it was being taken. That is not a failure of the schedule.
  if (run === 'gone') write(op, row, { isRunning: false })
  if (run === 'failed') fail(op, row, await failureOf(op, row.lastSnapshotId ?? null))
  if (run === 'taken') await taken(op, row, snapshots)
}

async function failureOf(
  op: Op,
  snapshotId: string | null,
): Promise<Pick<Failed, 'code' | 'message'>> {
  const { nodes } = await op.reads.operations.list(
    { first: 1, after: null },
    { targetId: snapshotId, states: ['failed'] },
  )
  const { faultCode, faultDetail } = nodes[0] ?? {}
  // The operations table holds only fault codes, so the cast is safe.
  const code = (faultCode ?? 'platform_error') as FaultCode
  return { code, message: faultDetail ?? messageOf('schedule.snapshot_failed') }
}

async function taken(op: Op, row: Row, snapshots: SnapshotActions): Promise<void> {
  const surplus = surplusSnapshots(await op.snapshotSchedules.madeBy(row.id, viewOf(row)), row.keep)
  // A deleted schedule keeps the snapshots that it took.
  if (!row.goneAt) await snapshots.remove(op, row, surplus)
  write(op, row, { isRunning: false, failuresInRow: 0, lastFailure: null })
}

interface Failed {
  code: FaultCode
  message: Message
  mustStop?: boolean
}

/**
 * Records a failed run and stops the schedule after too many in a row. Failures before the last
 * resume do not count.
 */
function fail(op: Op, row: Row | null, { code, message, mustStop = false }: Failed): void {
  if (!row) return
  const at = op.snapshotSchedules.now
  const isFirst = !row.lastFailure || Date.parse(row.lastFailure.at) < Date.parse(row.resumedAt)
  const failuresInRow = isFirst ? 1 : row.failuresInRow + 1
  const failed = { isRunning: false, failuresInRow, lastFailure: { code, message, at } }
  write(op, row, mustStop || failuresInRow >= maxFailures ? { ...failed, stoppedAt: at } : failed)
}

function write(op: Op, row: Row, observed: ObservedScheduleState): void {
  const { id, version, tenantId } = row
  op.snapshotSchedules.write(row, observed)
  op.changes.record('snapshot_schedule', { id, version: version + 1, tenantId })
}
