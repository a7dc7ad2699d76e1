import { Migration } from '@mikro-orm/migrations'

/**
 * What clients of the older interface say of a group and read back: a VPC that it is meant for, and
 * whether a rule named one port or a range.
 */
export class M0060SecurityGroupWire extends Migration {
  override up(): void {
    // A VPC that goes leaves the groups that were meant for it as they are.
    this.addSql('alter table security_group add column vpc_id uuid')
    this.addSql(
      'alter table security_group_rule add column single_port boolean not null default false',
    )
  }
}
