import { UnitStore } from '../../engine/database/unit-store.ts'
import type pg from 'pg'
import { type CredentialKind } from '../../engine/model/viewer.ts'
import { type ConsoleKind } from '../../domain/guest/console.ts'
import { sha256 } from '../../runtime/ids.ts'
import { scopedQuery } from '../../engine/database/sql/scoped-query.ts'
import { type SqlClient } from '../../engine/database/sql/sql-client.ts'
import { issueTicket } from '../../engine/database/ticket.ts'

/** The right that a ticket grants: one user may open one console of one VM. */
export interface ConsoleGrant {
  tenantId: string
  vmId: string
  kind: ConsoleKind
  userId: string
  credential: Exclude<CredentialKind, 'none'>
  credentialId: string
}

export interface ConsoleSlot {
  vmId: string
  kind: ConsoleKind
  consoleSessionId: string
}

/** Issues tickets for the consoles of VMs. */
export class VmConsoleStore extends UnitStore {
  issue({
    tenantId,
    vmId,
    kind,
    userId,
    credential,
    credentialId,
  }: ConsoleGrant): ReturnType<typeof issueTicket> {
    return issueTicket(this.unit.client, issueText, [
      tenantId,
      vmId,
      kind,
      userId,
      credential,
      credentialId,
    ])
  }
}

/** Redeems tickets and tracks which session has a console, on any replica. */
export interface ConsoleAccess {
  /** Redeems the ticket once. Returns null for a ticket that is unknown, used or expired. */
  redeem(ticket: string): Promise<ConsoleGrant | null>
  /** Makes this session the only one of the console. */
  take(slot: ConsoleSlot & { tenantId: string }): Promise<void>
  leave(slot: ConsoleSlot): Promise<void>
  /** True when another session has taken the console over. */
  isTaken(slot: ConsoleSlot): Promise<boolean>
}

export function consoleAccessOn(pool: pg.Pool): ConsoleAccess {
  const query = <Row>(name: string, text: string, values: unknown[]) =>
    scopedQuery<Row>(pool, { name, text, values, scope: 'platform' })
  return {
    async redeem(ticket) {
      const [grant] = await query<ConsoleGrant>('berth_console_redeem', redeemText, [
        sha256(ticket),
      ])
      return grant ?? null
    },
    async take({ vmId, kind, tenantId, consoleSessionId }) {
      await query('berth_console_take', takeText, [vmId, kind, tenantId, consoleSessionId])
    },
    async leave({ vmId, kind, consoleSessionId }) {
      await query('berth_console_leave', leaveText, [vmId, kind, consoleSessionId])
    },
    async isTaken({ vmId, kind, consoleSessionId }) {
      return (
        (await query('berth_console_taken', takenText, [vmId, kind, consoleSessionId])).length > 0
      )
    },
  }
}

/** Deletes one batch of expired tickets and returns their number. */
export async function sweepConsoleTickets(
  client: SqlClient,
  { batch }: { batch: number },
): Promise<number> {
  return (await client.query(sweepText, [batch])).rowCount ?? 0
}

const issueText = `
insert into vm_console_ticket (secret_hash, tenant_id, vm_id, kind, user_id, credential, credential_id, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + interval '30 seconds')
returning to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "expiresAt"`

const redeemText = `
delete from vm_console_ticket where secret_hash = $1 and expires_at > clock_timestamp()
returning tenant_id as "tenantId", vm_id as "vmId", kind, user_id as "userId", credential, credential_id as "credentialId"`

const takeText = `
insert into vm_console_slot (vm_id, kind, tenant_id, console_session_id) values ($1, $2, $3, $4)
on conflict (vm_id, kind) do update set console_session_id = excluded.console_session_id, taken_at = now()`

const leaveText = `delete from vm_console_slot where vm_id = $1 and kind = $2 and console_session_id = $3`

const takenText = `select 1 as taken from vm_console_slot where vm_id = $1 and kind = $2 and console_session_id <> $3`

const sweepText = `
delete from vm_console_ticket where secret_hash in (
  select secret_hash from vm_console_ticket where expires_at < clock_timestamp() order by expires_at limit $1)`
