-- A worker claims the keys of a tenant in this order: 0 for a key whose last pass acted or which
-- was notified since, 1 for a new key, 2 for a key that only waits. So begun work ends before new
-- work begins, and keys that wait delay nothing. waits counts the passes in a row that changed
-- nothing.
alter table work
  add column turn smallint not null default 1 check (turn between 0 and 2),
  add column waits int not null default 0;

drop index work_due_idx;
create index work_due_idx on work (tenant_id, turn, due_at) where poisoned_at is null;
