import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** The NICs of machines, with the addresses that are theirs for life. */
export class M0040Nic extends Migration {
  override up(): void {
    for (const statement of [nics, podNicsBefore, seen, leaving, nextFreeAddress])
      this.addSql(statement)
    this.addSql(wall('nic', mine('tenant_id')))
  }
}

// The foreign key carries tenant and addresses of the network, so that no NIC can be in a network
// of another tenant, nor have an address outside of it or one that is not for machines. A row that
// is left behind keeps both of its addresses until \`free_at\`; then it is deleted, and they are
// free.
const nics = `
alter table network add constraint network_place_key unique (id, tenant_id, cidr);
create table nic (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id uuid not null references tenant (id) on delete cascade,
  vm_id uuid not null references vm (id) on delete cascade,
  ordinal int not null check (ordinal between 0 and 31),
  kind text not null check (kind in ('pod', 'private')),
  network_id uuid,
  network_cidr cidr,
  address inet check (masklen(address) = 32),
  mac text not null check (mac ~ '^02(:[0-9a-f]{2}){5}$'),
  rest_seconds int not null check (rest_seconds >= 0),
  free_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (network_id, tenant_id, network_cidr) references network (id, tenant_id, cidr) on delete cascade,
  constraint nic_network_of_kind check ((kind = 'pod') = (network_id is null) and (kind = 'private') = (network_cidr is not null)),
  constraint nic_address_of_network check ((network_id is null) = (address is null)),
  constraint nic_address_for_vms check (
    address << network_cidr and address > host(network(network_cidr))::inet + 1 and address < host(broadcast(network_cidr))::inet
  )
);
create unique index nic_mac_key on nic (mac);
create unique index nic_address_key on nic (network_id, address);
create unique index nic_ordinal_key on nic (vm_id, ordinal) where free_at is null;
create unique index nic_network_key on nic (vm_id, network_id) where free_at is null;
create index nic_vm_idx on nic (vm_id);
create index nic_tenant_idx on nic (tenant_id);
create index nic_network_ref_idx on nic (network_id, tenant_id, network_cidr);
create index nic_seq_idx on nic (network_id, seq);
create index nic_free_idx on nic (free_at) where free_at is not null;
grant select, insert, update, delete on nic to berth_app;`

const podNicsBefore = `
insert into nic (id, tenant_id, vm_id, ordinal, kind, mac, rest_seconds)
select gen_random_uuid(), tenant_id, id, 0, 'pod', mac, 300 from vm where gone_at is null;
alter table vm drop column mac;`

// Written by the reconciler alone: as text, because it is compared as it was written. The last look
// is forgotten, so that it is known of every machine.
const seen = `
alter table vm add column seen_nics json;
update vm set seen_version = null where gone_at is null;`

// However a machine comes to its end: by then nothing of it runs any more.
const leaving = `
create function leave_vm_nics() returns trigger language plpgsql as $$
begin
  update nic set free_at = now() + make_interval(secs => rest_seconds) where vm_id = new.id and free_at is null;
  return null;
end $$;
create trigger vm_leave_nics after update of gone_at on vm
  for each row when (new.gone_at is not null) execute function leave_vm_nics();`

// The first address behind the one that was given last, and from the beginning where there is none;
// null when all are taken. Whoever wants one of the same network next waits until this unit has
// ended. What is taken is read in the order of the index, up to the first gap: 40 ms where a /16
// has one left. It sees the addresses of all tenants and tells none of them.
const nextFreeAddress = `
create function next_free_address(pool uuid, firsts inet[], lasts inet[]) returns inet
language plpgsql set berth.scope = 'platform' as $$
declare
  latest inet;
  stretch record;
  candidate inet;
  taken inet;
begin
  perform pg_advisory_xact_lock(hashtextextended(pool::text, 0));
  delete from nic where network_id = pool and free_at <= clock_timestamp();
  select address into latest from nic where network_id = pool order by seq desc limit 1;
  for stretch in
    select case pass when 1 then greatest(first, latest + 1) else first end as low, case pass when 1 then last else least(last, latest) end as high
      from generate_series(1, 2) as pass, unnest(firsts, lasts) with ordinality as range (first, last, place) order by pass, place
  loop
    candidate := stretch.low;
    for taken in select address from nic where network_id = pool and address between stretch.low and stretch.high order by address loop
      exit when taken <> candidate;
      candidate := candidate + 1;
    end loop;
    if candidate <= stretch.high then return candidate; end if;
  end loop;
  return null;
end $$;`
