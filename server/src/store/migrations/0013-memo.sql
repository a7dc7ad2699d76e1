create table memo (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  text text not null check (text <> '' and length(text) <= 2000),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index memo_name_key on memo (tenant_id, name);

create trigger memo_version before update on memo
  for each row execute function bump_version();

alter table memo enable row level security;
alter table memo force row level security;
create policy memo_tenant_isolation on memo
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on memo to berth_app;
