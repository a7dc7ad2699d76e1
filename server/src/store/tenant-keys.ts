import { type Kysely, sql } from 'kysely'
import { type KeyPage, keyPage } from './key-page.ts'
import { type Reader } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'
import { type WorkKey } from './work-lease.ts'

const pageSize = 500

export interface TenantKey extends WorkKey {
  namespace: string
  clusterUid: string | null
  /** It is open, and nothing more was asked. */
  isSettled: boolean
}

/** Every tenant that is not gone, in the order of the ids. */
export function tenantKeyPage(reader: Reader, after: string | null): Promise<KeyPage<TenantKey>> {
  const page = statement('tenant.keys', (db) =>
    keys(db)
      .where(sql<boolean>`id > ${slot('after')}`)
      .orderBy('id')
      .limit(pageSize),
  )
  return keyPage(reader, after, { statement: page, size: pageSize, keyOf })
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
