import { randomBytes } from 'node:crypto'
import { Fault } from '../../engine/model/fault.ts'
import { type ApiKeyView, apiKeyText } from '../../domain/identity/api-key.ts'
import { mustHoldAll, requirePermissions } from '../../domain/identity/grant.ts'
import { mustActAtHome } from '../../domain/identity/principal.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { invalid, requireText } from '../../engine/model/name.ts'
import { sha256 } from '../../runtime/ids.ts'
import { type Op } from '../../store/op.ts'
import { apiKeyAfter } from './api-key-after.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NewApiKey {
  name?: string | null
  /** Nothing, zero or less: no end. */
  expiresInDays?: number | null
  scopes?: readonly string[] | null
}

const mostName = 100
const mostDays = 36_500
const prefixBytes = 4
const secretBytes = 24

/**
 * Makes a key that acts for the viewer. Only its hash is kept: the secret is in this answer and
 * nowhere else.
 */
export async function createApiKey(
  op: Op,
  asked: NewApiKey,
): Promise<{ apiKey: ApiKeyView; secret: string }> {
  const { viewer } = op
  const tenantId = mustActAtHome(viewer, messageOf('access.api_key_at_home'))
  const name = asked.name?.trim() ? requireText(asked.name, 'name', mostName) : 'default'
  const scopes = scopesFor(viewer, requirePermissions(asked.scopes ?? [], 'scopes'))
  const prefix = randomHex(prefixBytes)
  const secret = apiKeyText(prefix, randomHex(secretBytes))
  const parentId = viewer.credential === 'api_key' ? viewer.credentialId : null
  const expiresInDays = requireDays(asked.expiresInDays ?? null)
  const owned = { tenantId, userId: viewer.userId, name, scopes }
  const key = op.apiKeys.add({
    ...owned,
    prefix,
    secretHash: sha256(secret),
    expiresInDays,
    parentId,
  })
  return { apiKey: await apiKeyAfter(op, key.id), secret }
}

/**
 * No scopes mean all that the owner may do; made with a key, that would be more than the key may do
 * itself.
 */
function scopesFor(viewer: Viewer, asked: string[]): string[] {
  mustHoldAll(viewer.permissions, asked)
  if (asked.length > 0 || viewer.credential !== 'api_key') return asked
  if (viewer.permissions.size === 0)
    throw new Fault('forbidden', messageOf('access.api_key_powerless'))
  return [...viewer.permissions].toSorted()
}

function requireDays(days: number | null): number | null {
  if (days === null || days <= 0) return null
  if (!Number.isInteger(days) || days > mostDays)
    throw invalid('expiresInDays', messageOf('field.whole_up_to', { most: mostDays }))
  return days
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
