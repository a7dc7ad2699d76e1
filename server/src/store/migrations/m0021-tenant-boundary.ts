import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** What was seen of the objects that keep a tenant apart in the cluster. */
export class M0021TenantBoundary extends Migration {
  override up(): void {
    this.addSql(boundaries)
    this.addSql(wall('tenant_boundary', mine('tenant_id')))
  }
}

// Written by the reconciler alone. \`made_of\` is what they were made of beside the tenant's own
// quota; without a row they are to be made.
const boundaries = `
create table tenant_boundary (
  tenant_id uuid primary key references tenant (id) on delete cascade,
  made_of text not null,
  namespace_version text not null,
  wall_version text not null,
  limits_version text not null
);
grant select, insert, update, delete on tenant_boundary to berth_app;`
