import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { type Principal } from '../../domain/identity/principal.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { Session } from './session-entity.ts'
import { type Account, accounts, holders } from './principal.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
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

/** Finds the owner of a session, to authenticate requests with one of its tokens. */
export class SessionReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  span(id: string): Promise<SessionSpan | null> {
    return one(
      this.#reader,
      statement('session.span', (db) => spans(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  /** Returns the owner of a session that is not revoked. */
  owner(id: string): Promise<Account | null> {
    return one(this.#reader, statement('session.owner', owner), { id })
  }

  /** Returns the holder of an open session, for any of its tokens. */
  holderOf(id: string): Promise<Principal | null> {
    return one(this.#reader, statement('session.holderOf', openSession), { id })
  }

  /**
   * Returns the holder of an open session when the token has not expired either. Both are compared
   * with the database's clock.
   */
  holder(id: string, tokenEndsSeconds: number): Promise<Principal | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(this.#reader, statement('session.holder', holder), { id, ends: tokenEndsSeconds })
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

const holder = (db: Kysely<Tables>) =>
  openSession(db).where(
    sql<boolean>`to_timestamp(cast(${slot('ends')} as double precision)) > now()`,
  )
