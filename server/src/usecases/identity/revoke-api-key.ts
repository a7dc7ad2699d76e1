import { Fault, notFound } from '../../engine/model/fault.ts'
import { type ApiKeyView } from '../../domain/identity/api-key.ts'
import { restrictToScopes } from '../../domain/identity/grant.ts'
import { systemRoles } from '../../domain/identity/permission.ts'
import { mustHoldAsMuchAs } from '../../domain/identity/rules.ts'
import { may } from '../../engine/model/viewer.ts'
import { type Op } from '../../store/op.ts'
import { apiKeyAfter } from './api-key-after.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Revokes a key for good; it stays listed. With `users:write` a viewer may revoke any key of the
 * tenant, otherwise only its own.
 */
export async function revokeApiKey(
  op: Op,
  request: { id: string },
): Promise<{ apiKey: ApiKeyView }> {
  const key = await op.apiKeys.get(request.id)
  const isOwn = key.userId === op.viewer.userId
  const maySee = key.tenantId === op.viewer.tenantId && may(op.viewer, 'users:write')
  if (!isOwn && !maySee) throw notFound('API key', request.id)
  const owner = await op.reads.users.find(key.userId)
  if (!owner) throw notFound('API key', request.id)
  if (owner.roleId === systemRoles['platform.root'].id && !isOwn)
    throw new Fault('forbidden', messageOf('access.api_key_of_root'))
  const { permissions } = await op.roles.get(owner.roleId, owner.tenantId)
  const held = restrictToScopes(new Set(permissions), key.scopes)
  mustHoldAsMuchAs(op.viewer, { noun: 'API key', name: key.name, permissions: [...held] })
  if (!key.revokedAt) op.apiKeys.revoke(key)
  return { apiKey: await apiKeyAfter(op, key.id) }
}
