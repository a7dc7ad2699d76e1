-- Retention deletes finished operations, oldest first.
create index operation_finished_idx on operation (finished_at) where finished_at is not null;

-- The application can add to the audit log but not delete from it. Only this function deletes, and
-- never an entry of the last week.
create function forget_audit_events(older_than interval, most int) returns int
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  forgotten int;
begin
  delete from audit_event where id in (
    select id from audit_event
    where at < clock_timestamp() - greatest(older_than, interval '7 days')
    order by at limit most);
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;
revoke execute on function forget_audit_events(interval, int) from public;
grant execute on function forget_audit_events(interval, int) to berth_app;
