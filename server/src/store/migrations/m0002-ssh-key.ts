import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/**
 * The public keys that a tenant gives to its VMs. What is put into VMs is one line, whoever wrote
 * it: the table sees to that too.
 */
export class M0002SshKey extends Migration {
  override up(): void {
    this.addSql(keys)
    this.addSql(wall('ssh_key', mine('tenant_id')))
  }
}

const keys = `
create table ssh_key (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  public_key text not null check (public_key ~ '^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*$'),
  fingerprint text not null check (fingerprint ~ '^SHA256:[A-Za-z0-9+/]{43}$'),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index ssh_key_name_key on ssh_key (tenant_id, name);
create unique index ssh_key_fingerprint_key on ssh_key (tenant_id, fingerprint);
create trigger ssh_key_version before update on ssh_key for each row execute function bump_version();
grant select, insert, update, delete on ssh_key to berth_app;`
