import { Fault, notFound } from '../../engine/model/fault.ts'
import { type ApiKeyView } from '../../domain/identity/api-key.ts'
import { systemRoles } from '../../domain/identity/permission.ts'
import { may } from '../../engine/model/viewer.ts'
import { type Op } from '../../store/op.ts'
import { apiKeyAfter } from './api-key-after.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Ends a key for good; it stays listed. Who may write users ends any key of the tenant, everybody
 * else their own.
 */
export async function revokeApiKey(op: Op, asked: { id: string }): Promise<{ apiKey: ApiKeyView }> {
  const key = await op.apiKeys.get(asked.id)
  const isOwn = key.userId === op.viewer.userId
  if (!isOwn && !may(op.viewer, 'users:write')) throw notFound('API key', asked.id)
  if (!isOwn) await mustNotBeRoots(op, key.userId)
  if (!key.revokedAt) op.apiKeys.revoke(key)
  return { apiKey: await apiKeyAfter(op, key.id) }
}

async function mustNotBeRoots(op: Op, userId: string): Promise<void> {
  const owner = await op.reads.users.find(userId)
  if (owner?.roleId === systemRoles['platform.root'].id)
    throw new Fault('forbidden', messageOf('access.api_key_of_root'))
}
