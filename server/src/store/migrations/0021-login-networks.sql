-- works_from: 0019-second-factor
-- The networks from which a user has logged in, as hashes. The login throttle counts guesses from
-- them apart from guesses from elsewhere. Each user has the newest ten.
create table login_network (
  user_id uuid not null references user_account (id) on delete cascade,
  network bytea not null,
  last_at timestamptz not null default now(),
  primary key (user_id, network)
);

alter table login_network enable row level security;
alter table login_network force row level security;
create policy login_network_platform_only on login_network using ((select berth_platform()));
grant select, insert, update, delete on login_network to berth_app;
