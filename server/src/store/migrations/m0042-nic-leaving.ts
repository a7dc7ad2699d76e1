import { Migration } from '@mikro-orm/migrations'

/**
 * NICs that are to go while their machine stays: each keeps its addresses until the guest that has
 * it has ended.
 */
export class M0042NicLeaving extends Migration {
  override up(): void {
    this.addSql('alter table nic add column leave_requested_at timestamptz')
  }
}
