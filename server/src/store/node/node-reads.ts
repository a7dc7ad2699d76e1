import { type Kysely, sql } from 'kysely'
import { type ChangeKind } from '../../engine/model/change.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { idOrNoRow } from '../../engine/database/sql/id-or-no-row.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/** The tables of the rows that a client can find by their id alone. */
const tables = {
  network: 'network',
  operation: 'operation',
  role: 'role',
  security_group: 'security_group',
  service_offering: 'service_offering',
  snapshot_schedule: 'snapshot_schedule',
  ssh_key: 'ssh_key',
  tenant: 'tenant',
  unmanaged_vm: 'unmanaged_vm',
  user: 'user_account',
  vm: 'vm',
  vm_snapshot: 'vm_snapshot',
  vm_template: 'vm_template',
  volume: 'volume',
  volume_snapshot: 'volume_snapshot',
  vpc: 'vpc',
} as const satisfies Partial<Record<ChangeKind, keyof Tables>>

type NodeKind = keyof typeof tables

/** Tells of which kind a row is, from its id. */
export class NodeReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Searches all tables with one statement. Null when none of them has the row. */
  async kindOf(id: string): Promise<NodeKind | null> {
    const found = await one(this.#reader, statement('node.kindOf', kindsWithId), {
      id: idOrNoRow(id),
    })
    return found?.kind ?? null
  }
}

function kindsWithId(db: Kysely<Tables>) {
  const [first, ...rest] = Object.entries(tables).map(([kind, table]) =>
    db
      .selectFrom(table)
      .select(sql<NodeKind>`${sql.lit(kind)}`.as('kind'))
      .where(sql<boolean>`id = ${slot('id')}`),
  )
  if (!first) throw new TypeError('no table has nodes')
  return rest.reduce((all, each) => all.unionAll(each), first)
}
