import { Migration } from '@mikro-orm/migrations'

/**
 * The NICs that a machine had when a snapshot of it was asked for; null where nobody wrote them
 * down then.
 */
export class M0075VmSnapshotNics extends Migration {
  override up(): void {
    this.addSql('alter table vm_snapshot add column nics jsonb')
  }
}
