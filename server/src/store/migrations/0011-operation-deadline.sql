-- The time without progress after which an operation fails. Each progress moves its deadline by as
-- much.
alter table operation
  add column deadline_seconds int not null default 600 check (deadline_seconds > 0);

-- Why the last deploy failed. The row and the parts of the VM stay until its deploy is repeated or
-- the VM is deleted.
alter table vm add column failure jsonb;
