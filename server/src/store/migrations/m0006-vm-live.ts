import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/**
 * What belongs to running machines: tickets and seats of consoles, and what guests said in their
 * last boots.
 */
export class M0006VmLive extends Migration {
  override up(): void {
    this.addSql(tickets)
    this.addSql(seats)
    this.addSql(bootLogs)
    this.addSql(forgetting)
    for (const table of ['vm_console_ticket', 'vm_console_seat', 'vm_boot_log'])
      this.addSql(wall(table, mine('tenant_id')))
  }
}

// Who finds a hash here cannot open anything with it. A ticket is used by deleting it, so one of
// several that come with it wins.
const tickets = `
create table vm_console_ticket (
  secret_hash bytea primary key,
  tenant_id uuid not null,
  vm_id uuid not null references vm (id) on delete cascade,
  kind text not null check (kind in ('serial', 'vnc')),
  user_id uuid not null references user_account (id) on delete cascade,
  credential text not null check (credential in ('session', 'token', 'api_key')),
  credential_id uuid not null,
  expires_at timestamptz not null
);
create index vm_console_ticket_vm_idx on vm_console_ticket (vm_id);
create index vm_console_ticket_user_idx on vm_console_ticket (user_id);
create index vm_console_ticket_expires_idx on vm_console_ticket (expires_at);
grant select, insert, update, delete on vm_console_ticket to berth_app;`

// The cluster throws the former visitor out without a word; this is how the replica of the former
// knows that somebody else came.
const seats = `
create table vm_console_seat (
  vm_id uuid not null references vm (id) on delete cascade,
  kind text not null check (kind in ('serial', 'vnc')),
  tenant_id uuid not null,
  visit_id uuid not null,
  taken_at timestamptz not null default now(),
  primary key (vm_id, kind)
);
grant select, insert, update, delete on vm_console_seat to berth_app;`

// What a guest has printed may be anything, also a password: it is sealed.
const bootLogs = `
create table vm_boot_log (
  vm_id uuid not null references vm (id) on delete cascade,
  run_uid text not null,
  tenant_id uuid not null,
  started_at timestamptz,
  ended_at timestamptz not null default now(),
  byte_count int not null,
  is_cut boolean not null,
  content bytea not null,
  primary key (vm_id, run_uid)
);
grant select, insert, update, delete on vm_boot_log to berth_app;`

// The row of a machine that is gone stays as a record; what its guest said does not.
const forgetting = `
create function forget_vm() returns trigger language plpgsql as $$
begin
  delete from vm_boot_log where vm_id = new.id;
  delete from vm_console_ticket where vm_id = new.id;
  delete from vm_console_seat where vm_id = new.id;
  return null;
end $$;
create trigger vm_forget after update of gone_at on vm for each row when (new.gone_at is not null) execute function forget_vm();`
