import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type NewVmEvent, type VmEventView } from '../../domain/vm-event/vm-event.ts'
import { newId } from '../../runtime/ids.ts'
import { idOrNoRow } from '../../engine/database/sql/id-or-no-row.ts'
import { isNewestOf } from '../../engine/database/sql/list-reads.ts'
import { type SortKey, readPage } from '../../engine/database/sql/page.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import { type Filterable, countAll } from '../../engine/database/sql/search.ts'
import { type SqlClient } from '../../engine/database/sql/sql-client.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { storedJson } from '../../engine/model/message.ts'

export interface RecordedVmEvent extends NewVmEvent {
  vmId: string
  tenantId: string
}

/** Events of a VM, newest first, even after the VM is gone. Another tenant sees none. */
export class VmEventReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  list(page: PageRequest, vmId: string): Promise<Page<VmEventView>> {
    return readPage(this.#reader, page, {
      shape: 'vm_event.list',
      keys,
      direction: 'desc',
      args: { vmId: idOrNoRow(vmId) },
      tenantColumn: 'vm_event.tenant_id',
      rows: (db) => ofVm(views(db)),
    })
  }

  /** Returns the newest events of each of these VMs, newest first. */
  newestOf(vmIds: readonly string[], first: number): Promise<(VmEventView & { vmId: string })[]> {
    const newest = statement('vm_event.newestOf', (db) =>
      views(db)
        .select('vm_id as vmId')
        .where(isNewestOfVm)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc'),
    )
    return this.#reader.all(newest, { owners: vmIds, first })
  }

  async count(vmId: string): Promise<number> {
    const counted = statement('vm_event.count', (db) =>
      ofVm(db.selectFrom('vm_event').select(countAll)),
    )
    return (await only(this.#reader, counted, { vmId: idOrNoRow(vmId) })).total
  }
}

const keys: readonly SortKey<VmEventView>[] = [
  { sql: sql.ref('at'), type: 'timestamptz', of: (row) => row.at },
  { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id },
]

const views = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm_event')
    .select(['id', 'at', 'code', 'from_state as fromState', 'to_state as toState', 'explanation'])

const isNewestOfVm = isNewestOf({ table: 'vm_event', owner: 'vm_id', time: 'at' })

const ofVm = <Query extends Filterable<Query>>(query: Query): Query =>
  query.where(sql<boolean>`vm_id = ${slot('vmId')}`)

/** Limits the events of a VM that starts and stops all the time to the newest. */
const maxEventsPerVm = 200

// The deletion does not see the row that the same statement inserts, so it leaves one row less.
const recording = `
with recorded as (
  insert into vm_event (id, tenant_id, vm_id, code, from_state, to_state, explanation) values ($1, $2, $3, $4, $5, $6, $7))
delete from vm_event where id in (select id from vm_event where vm_id = $3 order by at desc, id desc offset ${maxEventsPerVm - 1})`

/** Returns the insert, which is sent together with the commit. */
export const vmEventQuery = ({
  vmId,
  tenantId,
  code,
  fromState,
  toState,
  explanation,
}: RecordedVmEvent): pg.QueryConfig => ({
  name: 'berth_vm_event',
  text: recording,
  values: [
    newId(),
    tenantId,
    vmId,
    code,
    fromState,
    toState,
    explanation && storedJson(explanation),
  ],
})

const oldEvents = `
delete from vm_event where id in (
  select id from vm_event where at < clock_timestamp() - $1 * interval '1 ms' order by at limit $2)`

/** Deletes one batch of events older than `olderThanMs` and returns their number. */
export async function sweepVmEvents(
  client: SqlClient,
  { olderThanMs, batch }: { olderThanMs: number; batch: number },
): Promise<number> {
  return (await client.query(oldEvents, [olderThanMs, batch])).rowCount ?? 0
}
