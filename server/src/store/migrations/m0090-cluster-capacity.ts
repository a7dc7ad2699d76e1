import { Migration } from '@mikro-orm/migrations'
import { wall } from './m0001-walls.ts'

/** What the hosts of the cluster have together, as they were last seen. */
export class M0090ClusterCapacity extends Migration {
  override up(): void {
    this.addSql(capacity)
    this.addSql(wall('cluster_capacity', '(select berth_platform())'))
  }
}

// Written by one leader alone, when something is another than before. What is promised is not kept:
// it is counted from the machines.
const capacity = `
create table cluster_capacity (
  id boolean primary key default true check (id),
  hosts jsonb,
  gap text,
  silent_since timestamptz,
  check ((hosts is null) = (gap is not null))
);
grant select, insert, update on cluster_capacity to berth_app;`
