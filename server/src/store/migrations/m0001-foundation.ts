import { Migration } from '@mikro-orm/migrations'
import { grants, walls } from './m0001-walls.ts'

/**
 * Everything that carries an invariant is in the schema: uniqueness, tenant walls, versions,
 * append-only tables. The application connects as `berth_app`, which owns nothing and cannot step
 * around row level security. Two transaction-local settings decide what it sees: `berth.tenant`
 * (one tenant's id) or `berth.scope = platform`.
 */
export class M0001Foundation extends Migration {
  override up(): void {
    for (const statement of [
      roles,
      settings,
      tenants,
      identity,
      offerings,
      operations,
      work,
      changes,
      audit,
      idempotency,
    ]) {
      this.addSql(statement)
    }
    this.addSql(walls)
    this.addSql(grants)
  }
}

const roles = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'berth_app') then create role berth_app nologin nobypassrls; end if;
  execute format('grant berth_app to %I', current_user);
end $$;`

const settings = `
create function berth_tenant() returns uuid stable parallel safe language sql
  as $$ select nullif(current_setting('berth.tenant', true), '')::uuid $$;
create function berth_platform() returns boolean stable parallel safe language sql
  as $$ select coalesce(current_setting('berth.scope', true), '') = 'platform' $$;
create function bump_version() returns trigger language plpgsql as $$
begin new.version := old.version + 1; new.updated_at := clock_timestamp(); return new; end $$;`

const tenants = `
create table tenant (
  id uuid primary key,
  name text not null,
  slug text not null check (slug ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(slug) <= 50),
  namespace text not null check (length(namespace) <= 63),
  description text not null default '',
  state text not null default 'creating' check (state in ('creating', 'active', 'deleting', 'failed')),
  state_reason text,
  cluster_uid text,
  seen_at timestamptz,
  delete_requested_at timestamptz,
  gone_at timestamptz,
  external_uuid text,
  import_source text,
  generation int not null default 1,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index tenant_slug_key on tenant (slug) where gone_at is null;
create unique index tenant_namespace_key on tenant (namespace) where gone_at is null;
create index tenant_name_idx on tenant (name, id) where gone_at is null;
create index tenant_order_idx on tenant ((slug <> 'default'), name, id) where gone_at is null;
create trigger tenant_version before update on tenant for each row execute function bump_version();`

const identity = `
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
create trigger role_version before update on role for each row execute function bump_version();
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
create unique index user_oidc_key on user_account (oidc_issuer, oidc_subject) where oidc_subject is not null;
create index user_role_idx on user_account (role_id);
create trigger user_version before update on user_account for each row execute function bump_version();
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
-- Being used is no change of the key.
create trigger api_key_version before update of name, scopes, expires_at, revoked_at on api_key
  for each row execute function bump_version();
create table login_throttle (
  key bytea primary key,
  failures int not null default 1,
  blocked_until timestamptz,
  last_at timestamptz not null default now()
);
create index login_throttle_age_idx on login_throttle (last_at);`

const offerings = `
create table service_offering (
  id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 63),
  display_name text not null,
  cpu int not null check (cpu between 1 and 1024),
  memory_mi int not null check (memory_mi between 1 and 16777216),
  dedicated_cpu boolean not null default false,
  storage_tags text,
  state text not null default 'Active' check (state in ('Active', 'Inactive')),
  external_uuid text,
  import_source text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create trigger service_offering_version before update on service_offering for each row execute function bump_version();`

const operations = `
create table operation (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  kind text not null,
  target_kind text not null,
  target_id uuid not null,
  target_name text not null default '',
  actor_id uuid not null,
  actor_name text not null,
  state text not null default 'pending'
    check (state in ('pending', 'running', 'succeeded', 'failed', 'cancelled', 'superseded')),
  steps jsonb not null default '[]',
  progress int check (progress between 0 and 100),
  fault_code text,
  fault_detail text,
  cancellable boolean not null default false,
  cancel_requested_at timestamptz,
  superseded_by uuid references operation (id) on delete set null,
  idempotency_key text,
  request_id text,
  payload_version int not null default 1,
  payload jsonb not null default '{}',
  deadline timestamptz not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  check ((finished_at is null) = (state in ('pending', 'running')))
);
create index operation_tenant_idx on operation (tenant_id, created_at desc, id);
create index operation_target_idx on operation (target_kind, target_id, created_at desc);
create index operation_open_idx on operation (deadline) where finished_at is null;
create index operation_superseded_idx on operation (superseded_by) where superseded_by is not null;
create trigger operation_version before update on operation for each row execute function bump_version();
create function operation_final() returns trigger language plpgsql as $$
begin
  if old.finished_at is not null and new.state is distinct from old.state then
    raise exception 'operation % is final', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger operation_final before update on operation for each row execute function operation_final();`

// One row per key that somebody must look at. `rung` counts the reasons to look; a run that saw
// fewer than there are leaves the row due again, so a ring during a run is never lost. A key with
// nothing left to do is deleted; epochs come from one sequence, so that a holder from before the
// deletion is still older than every later one.
const work = `
create sequence work_epoch;
grant usage on sequence work_epoch to berth_app;
create table work (
  kind text not null,
  object_id uuid not null,
  tenant_id uuid not null references tenant (id) on delete cascade,
  due_at timestamptz not null default now(),
  rung bigint not null default 1,
  lease_owner text,
  lease_epoch bigint not null default 0,
  lease_until timestamptz,
  attempts int not null default 0,
  poisoned_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (kind, object_id)
);
create index work_due_idx on work (tenant_id, due_at) where poisoned_at is null;
create table leadership (
  name text primary key,
  holder text not null,
  epoch bigint not null,
  expires_at timestamptz not null
);`

// The horizon is the highest position that retention deleted: whoever resumes from before it has a
// gap.
const changes = `
create table change_log (
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity primary key,
  tenant_id uuid,
  kind text not null,
  object_id uuid not null,
  version int not null,
  at timestamptz not null default now()
);
create index change_log_order_idx on change_log (xid, id);
create index change_log_object_idx on change_log (object_id, version);
create table change_horizon (
  only_row boolean primary key default true check (only_row),
  xid xid8 not null default '0',
  id bigint not null default 0
);
insert into change_horizon default values;
grant select, update on change_horizon to berth_app;`

const audit = `
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
create index audit_event_at_idx on audit_event (at desc, id desc);`

const idempotency = `
create table idempotency_key (
  scope uuid not null,
  actor_id uuid not null,
  operation text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (scope, actor_id, operation, key_hash)
);
create index idempotency_key_age_idx on idempotency_key (created_at);`
