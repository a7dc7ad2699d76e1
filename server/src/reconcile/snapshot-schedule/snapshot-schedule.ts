import { type WorkKey } from '../../engine/model/work-key.ts'
import { type FaultCode, Fault } from '../../engine/model/fault.ts'
import { dueOf } from '../../domain/snapshot-schedule/due.ts'
import {
  type ScheduleStep,
  isWorthWaiting,
  nextStep,
  surplusOf,
} from '../../domain/snapshot-schedule/next-step.ts'
import { mostFailures } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { schedulePoint } from '../../domain/snapshot-schedule/steps.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfSchedule } from '../../store/snapshot-schedule/snapshot-schedule.ts'
import { type KeyReader } from '../../store/store.ts'
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
 * What came due is asked for in the same transaction that writes down that it was: under the lease
 * of one worker, and on a row that is locked, so a run is made once or not at all. Snapshots are
 * asked for as somebody would ask for them, with the same refusals and out of the same quota, and
 * from then on are their own reconciler's; this one waits for the end, counts failures, and removes
 * what is not kept only when the new one is there.
 */
type Row = NonNullable<Awaited<ReturnType<Op['snapshotSchedules']['row']>>>

/** What schedules ask of the use cases of snapshots. */
export interface SnapshotTaking {
  take: (op: Op, row: Row, dueMs: number) => Promise<string>
  remove: (op: Op, row: Row, ids: readonly string[]) => Promise<void>
}

interface SnapshotScheduleParts extends UnitParts {
  snapshots: SnapshotTaking
  /** How soon to look again at a snapshot that is being taken. */
  waitMs?: number
  /** How soon to ask again for what something else stands in the way of. */
  againMs?: number
}

// Clocks are put forward and back, and zones are changed by law: nothing is slept through for
// longer.
const longestSleepMs = 60 * 60_000

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
          await atFailpoint(schedulePoint('settle'), () =>
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

/** Heals what no bell was rung for. */
export const snapshotScheduleSource = (rows: KeyReader<WorkKey>): Source => ({
  changes: {},
  objects: {},
  everything: () => keyPages((after) => rows.page(after)),
})

const isActive = ({ goneAt, pausedAt, stoppedAt, resumedAt }: Row): boolean =>
  !goneAt && !pausedAt && !(stoppedAt && Date.parse(stoppedAt) > Date.parse(resumedAt))

/** Runs are counted from the last one on, or from when it was made, timed otherwise or resumed. */
function dueIn({ cron, timeZone, timedAt, resumedAt, countedUntil }: Row): number | null {
  const from = Math.max(
    ...[timedAt, resumedAt, countedUntil].flatMap((time) => (time ? Date.parse(time) : [])),
  )
  return dueOf({ cron, timeZone, timedFrom: new Date(from).toISOString() })
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

interface Taking {
  dueMs: number
  snapshots: SnapshotTaking
  againMs: number
}

async function take(unit: Unit<Row>, { dueMs, snapshots, againMs }: Taking): Promise<Outcome> {
  try {
    await atFailpoint(schedulePoint('take'), () =>
      unit((op, row) => begin(op, row, { dueMs, snapshots })),
    )
    return atOnce
  } catch (error) {
    if (!(error instanceof Fault) || outageIn(error)) throw error
    const { code, said: message } = error
    return {
      again: {
        afterMs: (await unit((op, row) =>
          Promise.resolve(refused(op, row, { code, message, dueMs })),
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
  { dueMs, snapshots }: Pick<Taking, 'dueMs' | 'snapshots'>,
): Promise<void> {
  // Paused, timed otherwise or ended meanwhile.
  if (!row || !isActive(row) || dueIn(row) !== dueMs) return
  const lastSnapshotId = await snapshots.take(op, row, dueMs)
  write(op, row, { ...countedAt(op, dueMs), lastSnapshotId, isRunning: true })
}

/** What came due until now is one run. */
const countedAt = (op: Op, dueMs: number): SeenOfSchedule => {
  const { now } = op.snapshotSchedules
  return {
    countedUntil: now,
    lastRunAt: now,
    lastDueAt: new Date(dueMs).toISOString(),
    refusedSince: null,
  }
}

interface Refused {
  code: FaultCode
  message: Message
  dueMs: number
}

/** Whether it is to be asked for again; otherwise this run has failed. */
function refused(op: Op, row: Row | null, { dueMs, ...why }: Refused): boolean {
  if (!row || !isActive(row) || dueIn(row) !== dueMs) return false
  const { now } = op.snapshotSchedules
  const since = row.refusedSince ?? now
  if (isWorthWaiting(why.code, Date.parse(now) - Date.parse(since))) {
    if (!row.refusedSince) write(op, row, { refusedSince: now })
    return true
  }
  op.snapshotSchedules.write(row, countedAt(op, dueMs))
  fail(op, row, why)
  return false
}

async function settle(op: Op, row: Row | null, snapshots: SnapshotTaking): Promise<void> {
  if (!row) return
  const run = await runOf(op, row)
  // One that somebody has deleted while it was taken is nobody's failure.
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
  // What the record of operations has as a code was written as one.
  const code = (faultCode ?? 'platform_error') as FaultCode
  return { code, message: faultDetail ?? messageOf('schedule.snapshot_failed') }
}

async function taken(op: Op, row: Row, snapshots: SnapshotTaking): Promise<void> {
  const surplus = surplusOf(await op.snapshotSchedules.madeBy(row.id, viewOf(row)), row.keep)
  // Whoever has ended the schedule keeps what it has made.
  if (!row.goneAt) await snapshots.remove(op, row, surplus)
  write(op, row, { isRunning: false, failuresInRow: 0, lastFailure: null })
}

interface Failed {
  code: FaultCode
  message: Message
  mustStop?: boolean
}

/** Those from before it was resumed do not count. */
function fail(op: Op, row: Row | null, { code, message, mustStop = false }: Failed): void {
  if (!row) return
  const at = op.snapshotSchedules.now
  const isFirst = !row.lastFailure || Date.parse(row.lastFailure.at) < Date.parse(row.resumedAt)
  const failuresInRow = isFirst ? 1 : row.failuresInRow + 1
  const failed = { isRunning: false, failuresInRow, lastFailure: { code, message, at } }
  write(op, row, mustStop || failuresInRow >= mostFailures ? { ...failed, stoppedAt: at } : failed)
}

function write(op: Op, row: Row, seen: SeenOfSchedule): void {
  const { id, version, tenantId } = row
  op.snapshotSchedules.write(row, seen)
  op.changes.note('snapshot_schedule', { id, version: version + 1, tenantId })
}
