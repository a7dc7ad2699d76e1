import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** What happened to machines, and which host each was seen on. */
export class M0095VmEvent extends Migration {
  override up(): void {
    this.addSql(events)
    this.addSql(wall('vm_event', mine('tenant_id')))
    this.addSql('alter table vm add column host text;')
  }
}

// The row of a machine stays when the machine is gone, and what happened to it stays with it. By
// the clock of the moment and not of the unit: units wait for each other at the machine's row, and
// what came later has to be told later.
const events = `
create table vm_event (
  id uuid primary key,
  tenant_id uuid not null,
  vm_id uuid not null references vm (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  code text not null,
  from_state text not null,
  to_state text not null,
  explanation jsonb
);
create index vm_event_vm_idx on vm_event (vm_id, at, id);
create index vm_event_tenant_idx on vm_event (tenant_id);
create index vm_event_at_idx on vm_event (at);
grant select, insert, delete on vm_event to berth_app;`
