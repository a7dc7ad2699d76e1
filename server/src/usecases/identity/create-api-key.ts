import { randomBytes } from 'node:crypto'
import { Fault } from '../../engine/model/fault.ts'
import { type ApiKeyView, apiKeyText } from '../../domain/identity/api-key.ts'
import { mustHoldAll, requirePermissions } from '../../domain/identity/grant.ts'
import { mustHaveHomeTenant } from '../../domain/identity/principal.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { invalid, requireText } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { sha256 } from '../../runtime/ids.ts'
import { type Op } from '../../store/op.ts'
import { apiKeyAfter } from './api-key-after.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateApiKeyRequest {
  name: string
  /** Without it, the key lives as long as a key may. */
  expiresInDays?: number | null
  /** The key has all permissions of its owner without it. */
  scopes?: readonly string[] | null
}

const maxNameLength = 100
const hundredYears = 36_500
const prefixBytes = 4
const secretBytes = 24

/**
 * Creates a key that acts for the viewer. Only its hash is stored: the secret is in this response
 * and nowhere else.
 */
export async function createApiKey(
  op: Op,
  request: CreateApiKeyRequest,
  maxDays: number | null = null,
): Promise<{ apiKey: ApiKeyView; secret: string }> {
  const { viewer } = op
  const tenantId = mustHaveHomeTenant(viewer)
  const { name, requested, expiresInDays } = requireAll({
    name: () => requireText(request.name, 'name', maxNameLength),
    requested: () => requireScopes(request.scopes ?? null),
    expiresInDays: () => requireDays(request.expiresInDays ?? maxDays, maxDays),
  })
  const scopes = scopesFor(viewer, requested)
  const prefix = randomHex(prefixBytes)
  const secret = apiKeyText(prefix, randomHex(secretBytes))
  const parentId = viewer.credential === 'api_key' ? viewer.credentialId : null
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

/** An empty list is refused, because a stored empty list means all permissions. */
function requireScopes(scopes: readonly string[] | null): string[] {
  if (scopes?.length === 0) throw invalid('scopes', messageOf('field.scope_needed'))
  return requirePermissions(scopes ?? [], 'scopes')
}

/**
 * No scopes mean all permissions of the owner. A key that creates a key must not give it more than
 * it has itself.
 */
function scopesFor(viewer: Viewer, request: string[]): string[] {
  mustHoldAll(viewer.permissions, request)
  if (request.length > 0 || viewer.credential !== 'api_key') return request
  if (viewer.permissions.size === 0)
    throw new Fault('forbidden', messageOf('access.api_key_powerless'))
  return [...viewer.permissions].toSorted()
}

function requireDays(days: number | null, maxDays: number | null): number | null {
  if (days === null) return null
  const most = maxDays ?? hundredYears
  if (Number.isInteger(days) && days >= 1 && days <= most) return days
  throw invalid('expiresInDays', messageOf('field.from_to', { least: 1, most }))
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
