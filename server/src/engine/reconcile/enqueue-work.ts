import { type SqlClient } from '../database/sql/sql-client.ts'
import { type WorkKey } from '../model/work-key.ts'

export interface EnqueueOptions {
  /**
   * True for a new desired state or an operator's retry: earlier failures are forgotten, and even a
   * key that was given up is due again.
   */
  readonly fresh?: boolean
  /** True for a full pass, which brings no news: a key that waits keeps its pace. */
  readonly isFullPass?: boolean
}

// Enqueueing a failing key makes it due earlier, but not immediately. Events of a broken object
// arrive every second, and each would use up an attempt. One second per failure so far bounds both
// the wait and the waste. A key that waits for long begins its backoff again. Shorter waits keep
// theirs, because a cluster that makes progress sends many events.
const enqueueAll = {
  name: 'berth_work_ring',
  text: `
insert into work as w (kind, object_id, tenant_id)
select kind, object_id, tenant_id
  from unnest($1::text[], $2::uuid[], $3::uuid[]) as key (kind, object_id, tenant_id)
 order by kind, object_id
on conflict (kind, object_id) do update
   set notified = w.notified + 1,
       turn = case w.turn when 2 then 0 else w.turn end,
       waits = case when $4 or not $5 and w.due_at > clock_timestamp() + interval '5 s' then 0 else w.waits end,
       due_at = case when $4 then clock_timestamp()
                     else least(w.due_at, clock_timestamp() + least(w.attempts, 30) * interval '1 s') end,
       attempts = case when $4 then 0 else w.attempts end,
       poisoned_at = case when $4 then null else w.poisoned_at end,
       last_error = case when $4 then null else w.last_error end`,
}

/**
 * Makes each work key due now, inside the caller's transaction, so that the reason and the
 * enqueued key commit together. The caller sends the doorbell (a unit always does); without it the
 * poll finds the key within a second.
 */
export async function enqueueWork(
  client: SqlClient,
  keys: readonly WorkKey[],
  { fresh = false, isFullPass = false }: EnqueueOptions = {},
): Promise<void> {
  const distinct = [...new Map(keys.map((key) => [`${key.kind}/${key.objectId}`, key])).values()]
  if (distinct.length === 0) return
  const column = <K extends keyof WorkKey>(name: K): string[] => distinct.map((key) => key[name])
  await client.query(enqueueAll, [
    column('kind'),
    column('objectId'),
    column('tenantId'),
    fresh,
    isFullPass,
  ])
}
