import type { OperationRow } from '../../api/operations.ts'
import type { VmEventRow } from '../../api/vm/vm-events.ts'

type Moment = { at: string; operation: OperationRow } | { at: string; event: VmEventRow }

interface Loaded<Row> {
  /** Newest first. */
  rows: readonly Row[]
  hasMore: boolean
}

/**
 * Both in one, newest first, and no further back than both are loaded: between two moments that are
 * shown nothing is left out.
 */
export function timeLineOf(operations: Loaded<OperationRow>, events: Loaded<VmEventRow>): Moment[] {
  const asked = operations.rows.map((operation): Moment => ({ at: operation.createdAt, operation }))
  const seen = events.rows.map((event): Moment => ({ at: event.at, event }))
  const since = Math.max(reachOf(asked, operations.hasMore), reachOf(seen, events.hasMore))
  // What was asked for comes first where both are of one moment, so that it is told below what came
  // of it.
  return [...seen, ...asked]
    .filter(({ at }) => Date.parse(at) >= since)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

const reachOf = (moments: readonly Moment[], hasMore: boolean): number =>
  hasMore ? Date.parse(moments.at(-1)?.at ?? '') || 0 : 0
