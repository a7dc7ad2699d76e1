import { Migration } from '@mikro-orm/migrations'

/**
 * What size a machine had when a restore was asked for: asked with it, and put back by whoever
 * finds that it has failed.
 */
export class M0053VmRestoreFormer extends Migration {
  override up(): void {
    this.addSql(`alter table vm add column restore_former jsonb`)
  }
}
