import type pg from 'pg'
import { Fault } from '../model/fault.ts'
import { type Scope } from '../model/scope.ts'
import { sha256 } from '../../runtime/ids.ts'
import { type Seal } from '../../runtime/seal.ts'
import { type SqlClient } from './sql/sql-client.ts'
import { messageOf } from '../model/message.ts'

/**
 * A client's statement that two requests are the same request. The key is scoped to tenant, actor
 * and operation, and is stored for a day. Only the credential of the first request gets its answer,
 * because the answer may contain more than another credential of the actor may read.
 */
export interface IdempotencyKey {
  key: string
  /** Hash of the request, which detects a reused key with another request. */
  bodyHash: Buffer
  /** Called when the response is the stored one of an earlier request. */
  onReplay: () => void
}

export interface KeyOwner {
  scope: Scope
  actorId: string
  credentialId: string | null
  operation: string
}

const platformScope = '00000000-0000-0000-0000-000000000000'

const keyColumns = (
  { scope, actorId, operation }: KeyOwner,
  { key }: IdempotencyKey,
): unknown[] => [
  scope === 'platform' ? platformScope : scope.tenantId,
  actorId,
  operation,
  sha256(key),
]

export function claimKeyQuery(owner: KeyOwner, key: IdempotencyKey): pg.QueryConfig {
  const text = `insert into idempotency_key (scope, actor_id, operation, key_hash, body_hash, credential_id)
    values ($1, $2, $3, $4, $5, $6)
    on conflict do nothing`
  const values = [...keyColumns(owner, key), key.bodyHash, owner.credentialId]
  return { name: 'berth_key_claim', text, values }
}

const keyCondition = 'where scope = $1 and actor_id = $2 and operation = $3 and key_hash = $4'

export function storeAnswerQuery(
  owner: KeyOwner,
  key: IdempotencyKey,
  answer: Buffer,
): pg.QueryConfig {
  return {
    name: 'berth_key_answer',
    text: `update idempotency_key set answer = $5 ${keyCondition}`,
    values: [...keyColumns(owner, key), answer],
  }
}

interface StoredAnswer {
  body_hash: Buffer
  answer: Buffer | null
  credential_id: string | null
}

/**
 * Returns the stored response of the first request with this key. Responses are sealed because some
 * contain a secret that is shown once.
 */
export async function replay(
  client: pg.ClientBase,
  owner: KeyOwner,
  { key, seal }: { key: IdempotencyKey; seal: Seal },
): Promise<unknown> {
  const text = `select body_hash, answer, credential_id from idempotency_key ${keyCondition}`
  const found = await client.query<StoredAnswer>({
    name: 'berth_key_read',
    text,
    values: keyColumns(owner, key),
  })
  const [row] = found.rows
  if (row && row.credential_id !== owner.credentialId)
    throw new Fault('idempotency_conflict', messageOf('request.key_of_other_credential'))
  if (!row?.answer)
    throw new Fault('overloaded', messageOf('request.key_in_progress'), {
      retryAfterSeconds: 1,
    })
  if (!row.body_hash.equals(key.bodyHash)) {
    throw new Fault('idempotency_conflict', messageOf('request.key_reused'))
  }
  return JSON.parse(seal.open(row.answer))
}

const sweep = `
with old as (select ctid from idempotency_key where created_at < clock_timestamp() - $1 * interval '1 ms' limit $2)
delete from idempotency_key using old where idempotency_key.ctid = old.ctid`

/** Deletes one batch of keys older than the age. Returns the number of deleted keys. */
export async function sweepIdempotencyKeys(
  client: SqlClient,
  { olderThanMs, batch }: { olderThanMs: number; batch: number },
): Promise<number> {
  return (await client.query(sweep, [olderThanMs, batch])).rowCount ?? 0
}
