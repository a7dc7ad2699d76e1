import type { OperationRow } from '../../api/operations.ts'
import type { VmEventRow } from '../../api/vm/vm-events.ts'

type Moment = { at: string; operation: OperationRow } | { at: string; event: VmEventRow }

interface Loaded<Row> {
  /** Newest first. */
  rows: readonly Row[]
  hasMore: boolean
}

/**
 * Merges operations and events, newest first. It ends where one of both is not loaded yet, so that
 * nothing is missing between two entries.
 */
export function timelineOf(operations: Loaded<OperationRow>, events: Loaded<VmEventRow>): Moment[] {
  const operationMoments = operations.rows.map((operation): Moment => ({
    at: operation.createdAt,
    operation,
  }))
  const eventMoments = events.rows.map((event): Moment => ({ at: event.at, event }))
  const since = Math.max(
    reachOf(operationMoments, operations.hasMore),
    reachOf(eventMoments, events.hasMore),
  )
  // The sort is stable: at the same time, an operation stays below the event that it caused.
  return [...eventMoments, ...operationMoments]
    .filter(({ at }) => Date.parse(at) >= since)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

const reachOf = (moments: readonly Moment[], hasMore: boolean): number =>
  hasMore ? Date.parse(moments.at(-1)?.at ?? '') || 0 : 0
