-- The secret is sealed, and recovery codes are hashes of random text. Until it is confirmed with a
-- code, the second factor is not asked for.
create table second_factor (
  user_id uuid primary key,
  tenant_id uuid not null,
  secret bytea not null,
  confirmed_at timestamptz,
  last_step int not null default 0,
  recovery_hashes text[] not null default '{}',
  created_at timestamptz not null default now(),
  foreign key (tenant_id, user_id) references user_account (tenant_id, id) on delete cascade
);

create index second_factor_tenant_idx on second_factor (tenant_id, user_id);

alter table second_factor enable row level security;
alter table second_factor force row level security;
create policy second_factor_tenant_isolation on second_factor
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on second_factor to berth_app;

alter table tenant add column requires_second_factor boolean not null default false;
