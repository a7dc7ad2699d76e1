import { sql } from 'kysely'
import { type KeyPage, keyPage } from './key-page.ts'
import { type Reader } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type WorkKey } from './work-lease.ts'

const pageSize = 500

interface Row {
  id: string
  tenantId: string | null
}

// The platform's own import nothing, so a key always has a tenant.
const keyOf = ({ id, tenantId }: Row): WorkKey => ({ kind: 'vm_template', objectId: id, tenantId: tenantId ?? '' })

/** For whoever must look at every template that has something in the cluster. */
export function templateKeyPage(reader: Reader, after: string | null): Promise<KeyPage<WorkKey>> {
  const page = statement('template.keys', (db) =>
    db
      .selectFrom('vm_template')
      .select(['id', 'tenant_id as tenantId'])
      .where('gone_at', 'is', null)
      .where('import_generation', '>', 0)
      .where(sql<boolean>`id > ${slot('after')}`)
      .orderBy('id')
      .limit(pageSize),
  )
  return keyPage(reader, after, { statement: page, size: pageSize, keyOf })
}

export async function templateKeysOf(reader: Reader, ids: readonly string[]): Promise<WorkKey[]> {
  const known = statement('template.keysOf', (db) =>
    db
      .selectFrom('vm_template')
      .select(['id', 'tenant_id as tenantId'])
      .where('tenant_id', 'is not', null)
      .where(sql<boolean>`id = any(${slot('ids')})`),
  )
  return (await reader.all(known, { ids })).map(keyOf)
}
