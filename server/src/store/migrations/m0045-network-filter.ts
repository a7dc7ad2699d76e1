import { Migration } from '@mikro-orm/migrations'

/** The filter in the networks of a machine other than the cluster's own. */
export class M0045NetworkFilter extends Migration {
  override up(): void {
    this.addSql(filter)
  }
}

const filter = `
alter table vm_guard add networks_uid text;`
