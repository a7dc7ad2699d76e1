import { notFound } from '../../engine/model/fault.ts'
import { type ApiKeyView } from '../../domain/identity/api-key.ts'
import { type Op } from '../../store/op.ts'

/**
 * Returns the key as written by the unit of work, and adds it to the change log and the audit row.
 */
export async function apiKeyAfter(op: Op, id: string): Promise<ApiKeyView> {
  await op.flush()
  const apiKey = await op.reads.apiKeys.find(id)
  if (!apiKey) throw notFound('API key', id)
  op.changes.record('api_key', { id, version: apiKey.version, tenantId: apiKey.tenantId })
  op.audit.setTarget('api_key', { id, name: apiKey.name, tenantId: apiKey.tenantId })
  return apiKey
}
