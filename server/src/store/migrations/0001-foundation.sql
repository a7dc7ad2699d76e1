-- The schema carries every invariant: uniqueness, tenant isolation, versions, append-only tables.
-- The application works as the role berth_app, which owns nothing and cannot bypass row level
-- security. Before this file runs, the runner creates the role and replaces its name.
grant usage on schema public to berth_app;

-- With btree_gist one exclusion constraint compares both "same VPC" and "overlapping block". The
-- extension is trusted, so the owner of the database may create it.
create extension if not exists btree_gist;

-- Two settings of a transaction decide which rows it sees: one tenant, or the whole platform.
-- Policies read them in a sub-select, which PostgreSQL evaluates once for each statement.
create function berth_tenant() returns uuid
  stable parallel safe language sql
as $$ select nullif(current_setting('berth.tenant', true), '')::uuid $$;

create function berth_platform() returns boolean
  stable parallel safe language sql
as $$ select coalesce(current_setting('berth.scope', true), '') = 'platform' $$;

-- Every update of a row increments its version.
create function bump_version() returns trigger
  language plpgsql
as $$
begin
  new.version := old.version + 1;
  new.updated_at := clock_timestamp();
  return new;
end
$$;

-- settled means that the reconciler has nothing left to do. The reconciler writes it with what it
-- observes, by the rule in domain. A statement that changes what is desired resets it here, so a
-- use case cannot forget to.
create function unsettle() returns trigger
  language plpgsql
as $$
begin
  new.settled := false;
  return new;
end
$$;
