import { UnitStore } from '../../engine/database/unit-store.ts'
import type pg from 'pg'
import { type CredentialKind } from '../../engine/model/viewer.ts'
import { sha256 } from '../../runtime/ids.ts'
import { scopedQuery } from '../../engine/database/sql/scoped-query.ts'
import { type SqlClient } from '../../engine/database/sql/sql-client.ts'
import { issueTicket } from '../../engine/database/ticket.ts'

/** The right that a ticket grants: one user may follow the events of one tenant. */
export interface EventsGrant {
  tenantId: string
  userId: string
  credential: Exclude<CredentialKind, 'none'>
  credentialId: string
}

/** Issues tickets for the socket of events. */
export class EventsTicketStore extends UnitStore {
  issue({
    tenantId,
    userId,
    credential,
    credentialId,
  }: EventsGrant): ReturnType<typeof issueTicket> {
    return issueTicket(this.unit.client, issueText, [tenantId, userId, credential, credentialId])
  }
}

/**
 * Redeems a ticket once, on any replica. Returns null for a ticket that is unknown, used or
 * expired.
 */
export type RedeemEventsTicket = (ticket: string) => Promise<EventsGrant | null>

export const eventsTicketsOn =
  (pool: pg.Pool): RedeemEventsTicket =>
  async (ticket) => {
    const values = [sha256(ticket)]
    const [grant] = await scopedQuery<EventsGrant>(pool, {
      name: 'berth_events_redeem',
      text: redeemText,
      values,
      scope: 'platform',
    })
    return grant ?? null
  }

/** Deletes one batch of expired tickets and returns their number. */
export async function sweepEventsTickets(
  client: SqlClient,
  { batch }: { batch: number },
): Promise<number> {
  return (await client.query(sweepText, [batch])).rowCount ?? 0
}

const issueText = `
insert into events_ticket (secret_hash, tenant_id, user_id, credential, credential_id, expires_at)
values ($1, $2, $3, $4, $5, clock_timestamp() + interval '30 seconds')
returning to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"`

const redeemText = `
delete from events_ticket where secret_hash = $1 and expires_at > clock_timestamp()
returning tenant_id as "tenantId", user_id as "userId", credential, credential_id as "credentialId"`

const sweepText = `
delete from events_ticket where secret_hash in (
  select secret_hash from events_ticket where expires_at < clock_timestamp() order by expires_at limit $1)`
