import { sql } from 'kysely'
import { startingOperations } from '../../domain/vm/vmi-command.ts'

/** True while an operation that starts the stopped VM is open. */
export const startRequested = sql<boolean>`case when vm.state = 'Stopped' and vm.wanted_power = 'on' then exists (
  select from operation start where start.target_kind = 'vm' and start.target_id = vm.id
    and start.kind in (${sql.join(startingOperations.map((kind) => sql.lit(kind)))}) and start.finished_at is null)
  else false end`

/** The case by which `casesReportedAs` finds the state in the older REST API. */
export const reportedCase = sql<string>`concat_ws(' ', case when vm.delete_requested_at is null then vm.state else 'Deleting' end,
  vm.wanted_power, case when ${startRequested} then 'true' else 'false' end)`
