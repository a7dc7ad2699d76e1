import { Migration } from '@mikro-orm/migrations'

/** What a machine that is installed from an ISO has beside others. */
export class M0007VmIso extends Migration {
  override up(): void {
    this.addSql(columns)
  }
}

// Asked: where the ISO lies that the machine gets a copy of, and how large that is. Seen: the
// copy's identity, and whether the cluster keeps what the machine's TPM remembers, which is decided
// once.
const columns = `
alter table vm
  add column source_type text not null default 'container' check (source_type in ('container', 'iso')),
  add column iso_claim text,
  add column iso_size_gi int check (iso_size_gi > 0),
  add column secure_boot boolean not null default false,
  add column iso_uid text,
  add column keeps_guest_state boolean,
  add check (source_type = 'container' or root_disk = 'persistent');`
