import type pg from 'pg'
import { type SessionSpan } from './session.ts'
import { scopedQuery } from '../../engine/database/sql/scoped-query.ts'

/**
 * A refresh token names a session and a generation. Using the newest token moves the session to the
 * next generation. Using an older one means that two parties hold the token, so the whole session
 * ends. Tabs that open at once do not wait for each other: for 30 seconds after a move the session
 * stays in its generation, and the previous token is as valid as the newest.
 */
export interface CredentialUpdates {
  /** Moves a session to its next generation. */
  rotate(sessionId: string, generation: number): Promise<Rotation>
  /** Records that an API key was used. */
  touchApiKey(id: string): Promise<void>
  /** Records that a token for scripts was used. */
  touchToken(sessionId: string): Promise<void>
}

export type Rotation =
  | { outcome: 'turned'; session: SessionSpan & { userId: string } }
  | { outcome: 'over' }
  | { outcome: 'replayed'; userId: string }

export function credentialUpdatesOn(pool: pg.Pool): CredentialUpdates {
  const query = <Row>(name: string, text: string, values: unknown[]) =>
    scopedQuery<Row>(pool, { name, text, values, scope: 'platform' })
  return {
    async rotate(sessionId, generation) {
      const [turned] = await query<RotatedRow>('berth_session_turn', turnText, [
        sessionId,
        generation,
      ])
      if (turned) return { outcome: 'turned', session: turned }
      const [present] = await query<RotatedRow & { isRecent: boolean }>(
        'berth_session_present',
        presentText,
        [sessionId],
      )
      if (!present || generation > present.generation) return { outcome: 'over' }
      // The newest token is always valid: the 30 seconds may have passed since the first statement.
      const isNewest = generation === present.generation
      if (isNewest || (present.isRecent && generation === present.generation - 1))
        return { outcome: 'turned', session: present }
      return { outcome: 'replayed', userId: present.userId }
    },
    async touchApiKey(id) {
      await query('berth_api_key_touch', touchText, [id])
    },
    async touchToken(sessionId) {
      await query('berth_token_touch', touchTokenText, [sessionId])
    },
  }
}

type RotatedRow = SessionSpan & { userId: string }

const columns = `s.id, s.user_id as "userId", s.refresh_generation as generation, s.expires_at as "expiresAt",
  extract(epoch from now())::int as "nowSeconds", floor(extract(epoch from s.expires_at))::int as "expiresSeconds"`

const isOpen = `s.kind = 'session' and s.revoked_at is null and s.expires_at > now()
  and exists (select from user_account u where u.id = s.user_id and u.state = 'active')`

const isRecent = `s.last_used_at > now() - interval '30 seconds'`

// A session ends after a day without use, and after a week in any case.
const turnText = `
update session as s set refresh_generation = s.refresh_generation + 1, last_used_at = now(),
  expires_at = least(s.created_at + interval '7 days', now() + interval '1 day')
where s.id = $1 and s.refresh_generation = $2 and not (${isRecent}) and ${isOpen}
returning ${columns}`

const presentText = `
select ${columns}, ${isRecent} as "isRecent" from session as s where s.id = $1 and ${isOpen}`

const touchText = `
update api_key set last_used_at = now() where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`

// The time of the last use of a console session belongs to the rotation of its refresh token.
const touchTokenText = `
update session set last_used_at = now() where id = $1 and kind = 'token' and last_used_at < now() - interval '1 minute'`
