import { type Kysely, sql } from 'kysely'
import { type Reader } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'
import { type WorkKey } from './work-lease.ts'

const keyPage = 500
const first = '00000000-0000-0000-0000-000000000000'

export interface TenantKey extends WorkKey {
  namespace: string
  clusterUid: string | null
  /** It is open, and nothing more was asked. */
  isSettled: boolean
}

/** Every tenant that is not gone, in the order of the ids. */
export async function tenantKeyPage(reader: Reader, after: string | null): Promise<{ keys: TenantKey[]; after: string | null }> {
  const page = statement('tenant.keys', (db) =>
    keys(db)
      .where(sql<boolean>`id > ${slot('after')}`)
      .orderBy('id')
      .limit(keyPage),
  )
  const rows = await reader.all(page, { after: after ?? first })
  return { keys: rows.map(keyOf), after: rows.length < keyPage ? null : (rows.at(-1)?.id ?? null) }
}

export async function tenantKeysOf(reader: Reader, ids: readonly string[]): Promise<TenantKey[]> {
  const known = statement('tenant.keysOf', (db) => keys(db).where(sql<boolean>`id = any(${slot('ids')})`))
  return (await reader.all(known, { ids })).map(keyOf)
}

const keyOf = <Row extends { id: string }>({ id, ...row }: Row) => ({ kind: 'tenant', objectId: id, tenantId: id, ...row })

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('tenant')
    .select(['id', 'namespace', 'cluster_uid as clusterUid'])
    .select(sql<boolean>`state = 'active' and delete_requested_at is null`.as('isSettled'))
    .where('gone_at', 'is', null)
