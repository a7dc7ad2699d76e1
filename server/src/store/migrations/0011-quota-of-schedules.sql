alter table tenant_quota add column snapshot_schedules int check (snapshot_schedules >= 0);
