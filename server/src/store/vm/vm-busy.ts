import { sql } from 'kysely'
import { type BusyWith } from '../../domain/vm/busy.ts'

/** What of the cluster's work keeps the machine of the row from being changed. */
export const busyWith = sql<BusyWith | null>`case
  when restore_id is distinct from restored_id then 'restore'
  when exists (select from vm_snapshot copy where copy.vm_id = vm.id and copy.gone_at is null and copy.taken_at is null and copy.failed_at is null)
    then 'snapshot' end`
