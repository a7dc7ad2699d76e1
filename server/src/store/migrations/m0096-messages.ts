import { Migration } from '@mikro-orm/migrations'

const columns = [
  ['network', 'state_reason'],
  ['operation', 'fault_detail'],
  ['tenant', 'state_reason'],
  ['vm_template', 'import_detail'],
  ['vpc', 'state_reason'],
] as const

/** A message is kept with its key and parameters, so that a client renders it in any language. */
export class M0096Messages extends Migration {
  override up(): void {
    for (const [table, column] of columns)
      this.addSql(
        `alter table ${table} alter column ${column} type jsonb using to_jsonb(${column});`,
      )
  }
}
