-- works_from: 0019-second-factor
-- A username is unique in its tenant. The index keeps its name, by which an older build that still
-- runs reports a username that is taken.
drop index user_username_key;
create unique index user_username_key on user_account (tenant_id, lower(username));

-- A login with a username alone finds the users of all tenants. An older build takes the first one.
create index user_login_idx on user_account (lower(username), created_at, id);

-- The name of root belongs to the platform, so that it means one user in every login.
alter table user_account add constraint user_name_of_root check (
  lower(username) <> 'root' or role_id = '00000000-0000-4000-8000-000000000001'
);
