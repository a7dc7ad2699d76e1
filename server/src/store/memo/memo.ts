import { type NamedQuery, byNameOrAge, listReads } from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { notFound } from '../../engine/model/fault.ts'
import { type MemoView } from '../../domain/memo/memo.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/** Writes the memos of tenants in the transaction of a unit of work. */
export class MemoStore extends UnitStore {
  insert(values: Pick<MemoView, 'tenantId' | 'name' | 'text'>): Promise<MemoView> {
    return insertMemo(this.reader, { id: newId(), ...values })
  }

  async isNameTaken(request: Pick<MemoView, 'tenantId' | 'name'>): Promise<boolean> {
    const named = statement('memo.named', (db) =>
      db
        .selectFrom('memo')
        .select('id')
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where('name', '=', slot<string>('name')),
    )
    return (await one(this.reader, named, { ...request })) !== null
  }

  /** Removes the memo and returns it. */
  async remove(id: string): Promise<MemoView> {
    const removing = statement('memo.remove', (db) =>
      db.deleteFrom('memo').where('id', '=', slot<string>('id')).returning(shown),
    )
    const removed = isId(id) ? await one(this.reader, removing, { id }) : null
    if (!removed) throw notFound('memo', id)
    return removed
  }
}

export class MemoReads extends listReads<'memo', MemoView, NamedQuery>({
  stem: 'memo',
  tenantColumn: 'memo.tenant_id',
  rows: (db) => db.selectFrom('memo').select(shown),
  counted: (db) => db.selectFrom('memo').select(countAll),
  found: contains('name', 'text'),
  sortedBy: byNameOrAge,
}) {}

const shown = [
  'id',
  'tenant_id as tenantId',
  'name',
  'text',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const insertMemo = insertInto('memo', (row) => row.returning(shown))
