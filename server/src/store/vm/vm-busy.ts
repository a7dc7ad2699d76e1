import { sql } from 'kysely'
import { type BusyWith } from '../../domain/vm/busy.ts'

/** The restore or the snapshot that blocks changes of the VM; null when there is none. */
export const busyWith = sql<BusyWith | null>`case
  when restore_id is distinct from restored_id then 'restore'
  when exists (select from vm_snapshot copy where copy.vm_id = vm.id and copy.gone_at is null and copy.taken_at is null and copy.failed_at is null)
    then 'snapshot' end`
