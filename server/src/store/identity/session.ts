import { listReads } from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { type Principal } from '../../domain/identity/principal.ts'
import { type SessionView } from '../../domain/identity/session.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { type CredentialQuery, byOwner } from './credential-query.ts'
import { Session } from './session-entity.ts'
import { type Account, accounts, holders } from './principal.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { type SortKey } from '../../engine/database/sql/page.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

export interface NewSession extends Pick<
  Session,
  'tenantId' | 'userId' | 'kind' | 'userAgent' | 'address'
> {
  ttlSeconds: number
}

/** The fields of a session that its tokens contain. Seconds come from the database's clock. */
export interface SessionSpan {
  id: string
  generation: number
  nowSeconds: number
  expiresSeconds: number
  expiresAt: string
}

/** Opens and ends the sessions of users in the transaction of a unit of work. */
export class SessionStore extends UnitStore {
  open({ ttlSeconds, ...values }: NewSession): Session {
    return this.unit.em.create(Session, {
      id: newId(),
      ...values,
      expiresAt: raw('now() + make_interval(secs => ?)', [ttlSeconds]),
    })
  }

  /** Ends every session and token of the user. */
  async revokeAll(userId: string): Promise<void> {
    await this.unit.em.nativeUpdate(
      Session,
      { userId, revokedAt: null },
      { revokedAt: raw('now()') },
    )
  }

  async revoke(id: string): Promise<void> {
    await this.unit.em.nativeUpdate(Session, { id, revokedAt: null }, { revokedAt: raw('now()') })
  }
}

export interface SessionQuery extends CredentialQuery {
  sort?: keyof typeof sortKeys
}

/** The owner of an open session. */
interface SessionHolder extends Principal {
  /** True when it is a token that was not used for a minute, so that this use is recorded. */
  isStale: boolean
}

/** Lists open sessions, and finds the owner of a session that a request names in its token. */
export class SessionReads extends listReads<'session', SessionView, SessionQuery>({
  stem: 'session',
  tenantColumn: 'session.tenant_id',
  idColumn: 'session.id',
  rows: (db) => views(db),
  counted: (db) => openSessions(db).select(countAll),
  narrowedBy: byOwner('session'),
  sortedBy: ({ sort = 'createdAt' }) => sortKeys[sort],
  direction: 'desc',
}) {
  span(id: string): Promise<SessionSpan | null> {
    return one(
      this.reader,
      statement('session.span', (db) => spans(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  /** Returns the owner of a session that is not revoked. */
  owner(id: string): Promise<Account | null> {
    return one(this.reader, statement('session.owner', owner), { id })
  }

  /** Returns the holder of an open session, for any of its tokens. */
  holderOf(id: string): Promise<Principal | null> {
    return one(this.reader, statement('session.holderOf', openSession), { id })
  }

  /**
   * Returns the holder of an open session when the token has not expired either. Both are compared
   * with the database's clock.
   */
  holder(id: string, tokenEndsSeconds: number): Promise<SessionHolder | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(this.reader, statement('session.holder', holder), { id, ends: tokenEndsSeconds })
  }
}

const owner = (db: Kysely<Tables>) =>
  accounts(db)
    .innerJoin('session', 'session.user_id', 'user_account.id')
    .where('session.id', '=', slot<string>('id'))
    .where('revoked_at', 'is', null)

const spans = (db: Kysely<Tables>) =>
  db
    .selectFrom('session')
    .select(['id', 'refresh_generation as generation', 'expires_at as expiresAt'])
    .select([
      sql<number>`extract(epoch from now())::int`.as('nowSeconds'),
      sql<number>`floor(extract(epoch from expires_at))::int`.as('expiresSeconds'),
    ])

const idKey: SortKey<SessionView> = {
  sql: sql.ref('session.id'),
  type: 'uuid',
  of: (row) => row.id,
}
const createdAtKey: SortKey<SessionView> = {
  sql: sql.ref('session.created_at'),
  type: 'timestamptz',
  of: (row) => row.createdAt,
}
const lastUsedAtKey: SortKey<SessionView> = {
  sql: sql.ref('last_used_at'),
  type: 'timestamptz',
  of: (row) => row.lastUsedAt,
}
const sortKeys = { createdAt: [createdAtKey, idKey], lastUsedAt: [lastUsedAtKey, idKey] } as const

const openSessions = (db: Kysely<Tables>) =>
  db
    .selectFrom('session')
    .innerJoin('user_account', 'user_account.id', 'session.user_id')
    .where('user_account.state', '=', 'active')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)

const views = (db: Kysely<Tables>) =>
  openSessions(db)
    .select(['session.id', 'user_id as userId', 'username', 'session.tenant_id as tenantId'])
    .select(['kind', 'user_agent as userAgent', 'address'])
    .select(['session.created_at as createdAt', 'last_used_at as lastUsedAt'])
    .select('expires_at as expiresAt')

const openSession = (db: Kysely<Tables>) =>
  holders(db)
    .innerJoin('session', 'session.user_id', 'user_account.id')
    .where('session.id', '=', slot<string>('id'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .select([
      'session.id as credentialId',
      'session.kind as credential',
      sql<string[]>`'{}'::text[]`.as('scopes'),
    ])

const isStale = sql<boolean>`session.kind = 'token' and session.last_used_at < now() - interval '1 minute'`

const holder = (db: Kysely<Tables>) =>
  openSession(db)
    .where(sql<boolean>`to_timestamp(cast(${slot('ends')} as double precision)) > now()`)
    .select(isStale.as('isStale'))
