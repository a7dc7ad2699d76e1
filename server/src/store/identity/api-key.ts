import { listReads } from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { type ApiKeyView } from '../../domain/identity/api-key.ts'
import { type Principal } from '../../domain/identity/principal.ts'
import { newId } from '../../runtime/ids.ts'
import { ApiKey } from './api-key-entity.ts'
import { type CredentialQuery, byOwner } from './credential-query.ts'
import { type SortKey } from '../../engine/database/sql/page.ts'
import { holders } from './principal.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

export interface ApiKeyQuery extends CredentialQuery {
  sort?: keyof typeof sortKeys
}

export interface NewApiKey extends Pick<
  ApiKey,
  'tenantId' | 'userId' | 'name' | 'prefix' | 'secretHash' | 'scopes'
> {
  expiresInDays: number | null
  /** The key that creates this one. The new key does not outlive it. */
  parentId: string | null
}

/** The owner of a key, and the hash of the key's secret part. */
export interface ApiKeyHolder extends Principal {
  secretHash: Uint8Array
  /** True when the key was not used for a minute, so that this use is recorded. */
  isStale: boolean
}

/** Writes API keys in the transaction of a unit of work. */
export class ApiKeyStore extends UnitStore {
  add({ expiresInDays, parentId, ...values }: NewApiKey): ApiKey {
    // `least` ignores nulls: without a duration and a parent the key never expires.
    const expiresAt = raw(
      'least((select parent.expires_at from api_key as parent where parent.id = ?), now() + make_interval(days => ?))',
      [parentId, expiresInDays],
    )
    return this.unit.em.create(ApiKey, { id: newId(), ...values, expiresAt })
  }

  get(id: string): Promise<ApiKey> {
    return this.lockById(ApiKey, { id }, 'API key')
  }

  revoke(key: ApiKey): void {
    key.revokedAt = raw('now()')
  }
}

/** Reads API keys for clients, and finds the owner of a key that a request sends. */
export class ApiKeyReads extends listReads<'api_key', ApiKeyView, ApiKeyQuery>({
  stem: 'api_key',
  tenantColumn: 'api_key.tenant_id',
  idColumn: 'api_key.id',
  rows: (db) => views(db),
  counted: (db) => db.selectFrom('api_key').select(countAll),
  narrowedBy: byOwner('api_key'),
  sortedBy: ({ sort = 'name' }) => sortKeys[sort],
}) {
  /** Returns the holder of a valid key, by the database's clock. */
  holder(prefix: string): Promise<ApiKeyHolder | null> {
    return one(this.reader, statement('api_key.holder', holder), { prefix })
  }

  /** Returns the holder of a valid key whose secret was verified before. */
  holderOf(id: string): Promise<Principal | null> {
    return one(this.reader, statement('api_key.holderOf', holderOf), { id })
  }
}

const validKeys = (db: Kysely<Tables>) =>
  holders(db)
    .innerJoin('api_key', 'api_key.user_id', 'user_account.id')
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .select(['api_key.id as credentialId', 'scopes', sql<'api_key'>`'api_key'`.as('credential')])

const holderOf = (db: Kysely<Tables>) => validKeys(db).where('api_key.id', '=', slot<string>('id'))

const holder = (db: Kysely<Tables>) =>
  validKeys(db)
    .where('prefix', '=', slot<string>('prefix'))
    .select('secret_hash as secretHash')
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('isStale'))

const idKey: SortKey<ApiKeyView> = {
  sql: sql.ref('api_key.id'),
  type: 'uuid',
  of: (row) => row.id,
}
const nameKey: SortKey<ApiKeyView> = {
  sql: sql.ref('api_key.name'),
  type: 'text',
  of: (row) => row.name,
}
const createdAtKey: SortKey<ApiKeyView> = {
  sql: sql.ref('api_key.created_at'),
  type: 'timestamptz',
  of: (row) => row.createdAt,
}
const sortKeys = { name: [nameKey, idKey], createdAt: [createdAtKey, idKey] } as const

const views = (db: Kysely<Tables>) =>
  db
    .selectFrom('api_key')
    .innerJoin('user_account', 'user_account.id', 'api_key.user_id')
    .select([
      'api_key.id',
      'api_key.name',
      'prefix',
      'scopes',
      'api_key.version',
      'username',
      'user_id as userId',
    ])
    .select([
      'api_key.tenant_id as tenantId',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
    ])
    .select(['revoked_at as revokedAt', 'api_key.created_at as createdAt'])
