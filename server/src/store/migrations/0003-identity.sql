create table role (
  id uuid primary key,
  tenant_id uuid references tenant (id) on delete cascade,
  name text not null check (name <> ''),
  description text not null default '',
  permissions text[] not null default '{}',
  is_system boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (is_system = (tenant_id is null))
);

create unique index role_name_key on role (tenant_id, lower(name)) nulls not distinct;

create trigger role_version before update on role
  for each row execute function bump_version();

-- System roles have no tenant: every tenant reads them, only the platform writes them.
alter table role enable row level security;
alter table role force row level security;
create policy role_tenant_isolation on role
  using (
    (select berth_platform()) or tenant_id = (select berth_tenant()) or tenant_id is null
  )
  with check ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on role to berth_app;

create table user_account (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  username text not null check (username <> ''),
  email text not null default '',
  role_id uuid not null references role (id),
  state text not null default 'active' check (state in ('active', 'disabled')),
  password_hash text,
  oidc_issuer text,
  oidc_subject text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);

create unique index user_username_key on user_account (lower(username));
create unique index user_oidc_key on user_account (oidc_issuer, oidc_subject)
  where oidc_subject is not null;
create index user_role_idx on user_account (role_id);

create trigger user_version before update on user_account
  for each row execute function bump_version();

alter table user_account enable row level security;
alter table user_account force row level security;
create policy user_account_tenant_isolation on user_account
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on user_account to berth_app;

create table session (
  id uuid primary key,
  tenant_id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('session', 'token')),
  refresh_generation int not null default 0,
  user_agent text not null default '',
  address text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (tenant_id, user_id) references user_account (tenant_id, id) on delete cascade
);

create index session_user_idx on session (tenant_id, user_id);
create index session_ended_idx on session (expires_at);

alter table session enable row level security;
alter table session force row level security;
create policy session_tenant_isolation on session
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on session to berth_app;

create table api_key (
  id uuid primary key,
  tenant_id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null unique,
  secret_hash bytea not null,
  scopes text[] not null default '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, user_id) references user_account (tenant_id, id) on delete cascade
);

create index api_key_user_idx on api_key (tenant_id, user_id);

-- The version does not count each use of a key.
create trigger api_key_version before update of name, scopes, expires_at, revoked_at on api_key
  for each row execute function bump_version();

alter table api_key enable row level security;
alter table api_key force row level security;
create policy api_key_tenant_isolation on api_key
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on api_key to berth_app;

create table login_throttle (
  key bytea primary key,
  failures int not null default 1,
  blocked_until timestamptz,
  last_at timestamptz not null default now()
);

create index login_throttle_age_idx on login_throttle (last_at);

alter table login_throttle enable row level security;
alter table login_throttle force row level security;
create policy login_throttle_platform_only on login_throttle using ((select berth_platform()));
grant select, insert, update, delete on login_throttle to berth_app;

-- A browser cannot set a header on a socket, so a ticket opens the event stream once. The table
-- holds only its hash, and the ticket is used by deleting it.
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

alter table events_ticket enable row level security;
alter table events_ticket force row level security;
create policy events_ticket_tenant_isolation on events_ticket
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on events_ticket to berth_app;

-- The table stores only the hash of the request body, and the answer is encrypted.
create table idempotency_key (
  scope uuid not null,
  actor_id uuid not null,
  operation text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  credential_id uuid,
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (scope, actor_id, operation, key_hash)
);

create index idempotency_key_age_idx on idempotency_key (created_at);

alter table idempotency_key enable row level security;
alter table idempotency_key force row level security;
create policy idempotency_key_tenant_isolation on idempotency_key
  using ((select berth_platform()) or scope = (select berth_tenant()));
grant select, insert, update, delete on idempotency_key to berth_app;

-- The audit log is append-only. Calls without a tenant are recorded as well, and only the platform
-- reads them.
create table audit_event (
  id uuid primary key,
  at timestamptz not null default clock_timestamp(),
  tenant_id uuid,
  actor_id uuid not null,
  actor_name text not null,
  actor_role text not null,
  actor_tenant_id uuid,
  credential text not null,
  credential_id uuid,
  operation text not null,
  target_kind text,
  target_id uuid,
  target_name text,
  outcome text not null check (outcome in ('allowed', 'refused', 'failed')),
  code text,
  request_id text not null,
  address text not null default ''
);

create index audit_event_tenant_idx on audit_event (tenant_id, at desc, id desc);
create index audit_event_at_idx on audit_event (at desc, id desc);

alter table audit_event enable row level security;
alter table audit_event force row level security;
create policy audit_event_tenant_isolation on audit_event
  using ((select berth_platform()) or tenant_id = (select berth_tenant()))
  with check (
    (select berth_platform()) or tenant_id = (select berth_tenant()) or tenant_id is null
  );
grant select, insert on audit_event to berth_app;
