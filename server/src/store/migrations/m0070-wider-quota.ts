import { Migration } from '@mikro-orm/migrations'

/** Limits of what came after the first quota. */
export class M0070WiderQuota extends Migration {
  override up(): void {
    this.addSql(limits)
  }
}

const limits = `
alter table tenant_quota
  add volumes int check (volumes >= 0),
  add snapshots int check (snapshots >= 0),
  add vpcs int check (vpcs >= 0),
  add networks int check (networks >= 0);`
