-- The foreign key carries the tenant and the block of the network. A NIC therefore cannot be in a
-- network of another tenant, nor have an address outside of the block. A NIC that its VM left keeps
-- its addresses until free_at. Then its row is deleted, and the addresses are free.
create table nic (
  id uuid primary key,
  seq bigint generated always as identity,
  tenant_id uuid not null references tenant (id) on delete cascade,
  vm_id uuid not null references vm (id) on delete cascade,
  ordinal int not null check (ordinal between 0 and 31),
  kind text not null check (kind in ('pod', 'private', 'public')),
  network_id uuid,
  network_cidr cidr,
  address inet check (masklen(address) = 32),
  mac text not null check (mac ~ '^02(:[0-9a-f]{2}){5}$'),
  rest_seconds int not null check (rest_seconds >= 0),
  leave_requested_at timestamptz,
  waits_for text,
  free_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (network_id, tenant_id, network_cidr)
    references network (id, tenant_id, cidr) on delete cascade,
  -- The public network has no row: the configuration describes it.
  constraint nic_network_of_kind
    check (
      (kind = 'pod') = (network_id is null) and (kind = 'private') = (network_cidr is not null)
    ),
  constraint nic_address_of_network check ((network_id is null) = (address is null)),
  constraint nic_address_for_vms
    check (
      address << network_cidr
      and address > host(network(network_cidr))::inet + 1
      and address < host(broadcast(network_cidr))::inet
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

-- A tenant may have thousands of NICs, and few of them are public. The quota counts those.
create index nic_public_idx on nic (tenant_id) where kind = 'public' and free_at is null;

alter table nic enable row level security;
alter table nic force row level security;
create policy nic_tenant_isolation on nic
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on nic to berth_app;

-- When a VM is gone, none of its NICs is in use any more, for any reason of its end.
create function leave_vm_nics() returns trigger
  language plpgsql
as $$
begin
  update nic set free_at = now() + make_interval(secs => rest_seconds)
    where vm_id = new.id and free_at is null;
  return null;
end
$$;

create trigger vm_leave_nics after update of gone_at on vm
  for each row when (new.gone_at is not null) execute function leave_vm_nics();

-- Returns the first free address after the last assigned one, else the first free one, and null
-- when all are taken. The next caller for the same network waits until this transaction has ended.
-- The loop reads taken addresses in the order of the index up to the first gap: 40 ms when a /16
-- has one left. The function sees the addresses of all tenants and reveals none of them. It sets
-- the scope itself: only a superuser may declare a setting of a function.
create function next_free_address(pool uuid, firsts inet[], lasts inet[]) returns inet
  language plpgsql
as $$
declare
  scope text := coalesce(current_setting('berth.scope', true), '');
  latest inet;
  stretch record;
  candidate inet;
  taken inet;
begin
  perform set_config('berth.scope', 'platform', true);
  perform pg_advisory_xact_lock(hashtextextended(pool::text, 0));
  delete from nic where network_id = pool and free_at <= clock_timestamp();
  select address into latest from nic where network_id = pool order by seq desc limit 1;
  for stretch in
    select
      case pass when 1 then greatest(first, latest + 1) else first end as low,
      case pass when 1 then last else least(last, latest) end as high
    from generate_series(1, 2) as pass,
      unnest(firsts, lasts) with ordinality as range (first, last, rank)
    order by pass, rank
  loop
    candidate := stretch.low;
    for taken in
      select address from nic
      where network_id = pool and address between stretch.low and stretch.high
      order by address
    loop
      exit when taken <> candidate;
      candidate := candidate + 1;
    end loop;
    exit when candidate <= stretch.high;
    candidate := null;
  end loop;
  perform set_config('berth.scope', scope, true);
  return candidate;
end
$$;
