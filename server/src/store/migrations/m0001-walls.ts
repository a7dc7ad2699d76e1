const tenantTables = ['user_account', 'session', 'api_key', 'operation', 'work']

// The sub-selects make each setting an InitPlan: read once per statement, not once per row.
const sees = '(select berth_platform()) or'
export const mine = (column: string): string => `${sees} ${column} = (select berth_tenant())`

export const wall = (table: string, using: string, check = using): string => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy ${table}_wall on ${table} using (${using}) with check (${check});`

/** What each unit may see of each table. */
export const walls = [
  wall('tenant', mine('id')),
  ...tenantTables.map((table) => wall(table, mine('tenant_id'))),
  // System roles and platform-wide changes have no tenant: all may read them, only the platform
  // writes them.
  wall('role', `${mine('tenant_id')} or tenant_id is null`, mine('tenant_id')),
  wall('change_log', `${mine('tenant_id')} or tenant_id is null`, mine('tenant_id')),
  wall('audit_event', mine('tenant_id'), `${mine('tenant_id')} or tenant_id is null`),
  wall('idempotency_key', mine('scope')),
  wall('login_throttle', '(select berth_platform())'),
].join('\n')

/** What the application may do at all. */
export const grants = `
grant usage on schema public to berth_app;
grant select, insert, update, delete on tenant, role, user_account, session, api_key, service_offering, operation, work,
  leadership, idempotency_key, login_throttle to berth_app;
grant select, insert on audit_event to berth_app;
grant select, insert, delete on change_log to berth_app;
alter table service_offering enable row level security;
alter table service_offering force row level security;
create policy service_offering_read on service_offering for select using (true);
create policy service_offering_write on service_offering using ((select berth_platform())) with check ((select berth_platform()));`
