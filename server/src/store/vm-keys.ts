import { type Kysely, sql } from 'kysely'
import { type KeyPage, keyPage } from './key-page.ts'
import { type Reader } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'
import { type WorkKey } from './work-lease.ts'

const pageSize = 1_000

export interface VmKey extends WorkKey {
  namespace: string
  name: string
  /** Of the cluster's objects, as they were seen last. */
  seenVersion: string | null
  /** All that was asked has been told to the cluster, and it has come to rest there. */
  isSettled: boolean
  isGone: boolean
}

/** Every machine that is not gone, in the order of the ids. */
export function vmKeyPage(reader: Reader, after: string | null): Promise<KeyPage<VmKey>> {
  const page = statement('vm.keys', (db) =>
    keys(db)
      .where('vm.gone_at', 'is', null)
      .where(sql<boolean>`vm.id > ${slot('after')}`)
      .orderBy('vm.id')
      .limit(pageSize),
  )
  return keyPage(reader, after, { statement: page, size: pageSize, keyOf })
}

/** Those of the ids that are machines, whatever became of them. */
export async function vmKeysOf(reader: Reader, ids: readonly string[]): Promise<VmKey[]> {
  const known = statement('vm.keysOf', (db) => keys(db).where(sql<boolean>`vm.id = any(${slot('ids')})`))
  return (await reader.all(known, { ids })).map(keyOf)
}

const keyOf = <Row extends { id: string }>({ id, ...row }: Row) => ({ kind: 'vm', objectId: id, ...row })

// Elsewhere things change with time alone: a start that takes too long, a deadline.
const isSettled = sql<boolean>`vm.applied_generation = vm.generation and vm.delete_requested_at is null and vm.failed_at is null
  and vm.state in ('Running', 'Stopped', 'Paused', 'Lost')`.as('isSettled')

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm')
    .innerJoin('tenant', 'tenant.id', 'vm.tenant_id')
    .select(['vm.id', 'vm.tenant_id as tenantId', 'tenant.namespace', 'vm.name', 'vm.seen_version as seenVersion', isSettled])
    .select(sql<boolean>`vm.gone_at is not null`.as('isGone'))
