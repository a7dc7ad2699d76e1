import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** Tickets that open the stream of events once: a browser can set no header on a socket. */
export class M0061EventsTicket extends Migration {
  override up(): void {
    this.addSql(tickets)
    this.addSql(wall('events_ticket', mine('tenant_id')))
  }
}

// As the tickets of consoles: who finds a hash here cannot open anything with it, and a ticket is
// used by deleting it.
const tickets = `
create table events_ticket (
  secret_hash bytea primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  user_id uuid not null references user_account (id) on delete cascade,
  credential text not null check (credential in ('session', 'token', 'api_key')),
  credential_id uuid not null,
  expires_at timestamptz not null
);
create index events_ticket_tenant_idx on events_ticket (tenant_id);
create index events_ticket_user_idx on events_ticket (user_id);
create index events_ticket_expires_idx on events_ticket (expires_at);
grant select, insert, update, delete on events_ticket to berth_app;`
