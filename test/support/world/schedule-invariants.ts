const takenSnapshots = `(select schedule_id, due_at, id, taken_at, state from volume_snapshot where schedule_id is not null
  union all select schedule_id, due_at, id, taken_at, state from vm_snapshot where schedule_id is not null) made`
const retained = `(select schedule_id from volume_snapshot where taken_at is not null and gone_at is null and delete_requested_at is null and state <> 'lost'
  union all select schedule_id from vm_snapshot where taken_at is not null and gone_at is null and delete_requested_at is null and state <> 'lost') kept`

const isStopped = 'coalesce(plan.stopped_at > plan.resumed_at, false)'

/** Invariants of schedules in a world at rest; see invariants.ts. */
export const scheduleRules: Readonly<Record<string, string>> = {
  'I-31 a schedule takes at most one snapshot for each due time, and none before it': `
    select plan.name, due_at from ${takenSnapshots} join snapshot_schedule plan on plan.id = schedule_id
     group by plan.id, due_at having count(*) > 1 or due_at > coalesce(plan.last_due_at, '-infinity')`,
  // Snapshots are pruned by a run, so a lower limit applies only after the next run.
  'I-08 a schedule whose last run succeeded keeps no more snapshots than its limit': `
    select plan.name, plan.keep, count(*) from snapshot_schedule plan join ${retained} on schedule_id = plan.id
     where plan.gone_at is null and not plan.is_running and plan.failures_in_row = 0 and exists (select from ${takenSnapshots} where id = plan.last_snapshot_id and taken_at is not null)
       and not exists (select from audit_event where target_id = plan.id and operation = 'updateSnapshotSchedule' and outcome = 'allowed' and at > plan.last_run_at)
     group by plan.id having count(*) > plan.keep`,
  'I-10 a stopped schedule has a reason': `
    select name, failures_in_row from snapshot_schedule plan
     where gone_at is null and ${isStopped} and (last_failure ->> 'message' is null or failures_in_row = 0)`,
  'I-10 a running schedule waits for an open operation': `
    select name, last_snapshot_id from snapshot_schedule plan where gone_at is null and is_running
       and not exists (select from operation where target_id = plan.last_snapshot_id and finished_at is null)`,
  'I-10 a schedule with a next run has a work row': `
    select name, next_due_at from snapshot_schedule plan where gone_at is null and paused_at is null and not ${isStopped} and next_due_at is not null
       and not exists (select from work where kind = 'snapshot_schedule' and object_id = plan.id and poisoned_at is null)`,
  'I-05 a schedule has an existing target': `
    select plan.name from snapshot_schedule plan left join volume on volume.id = volume_id left join vm on vm.id = plan.vm_id
     where plan.gone_at is null and coalesce(volume.delete_requested_at, volume.gone_at, vm.delete_requested_at, vm.gone_at) is not null`,
}
