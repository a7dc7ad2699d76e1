import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { NounRoutes, noContent } from '../../../engine/rest/noun-routes.ts'
import { RequestBody, ignored } from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, orNull } from '../../../engine/rest/json-schema.ts'

const { id, text, time, whole } = scalar

const apiKey = new ResponseShape('ApiKey', {
  id,
  user_id: id,
  tenant_id: id,
  name: text,
  prefix: text,
  scopes: list(text),
  expires_at: orNull(time),
  last_used_at: orNull(time),
  revoked_at: orNull(time),
  created_at: time,
})

const newKey = new RequestBody({
  name: text,
  'expires_in_days?': {
    ...whole,
    description:
      'Without it, the key lives as long as `security.apiKeyMaxDays` allows; with no such limit, it does not expire.',
  },
  'scopes?': {
    ...list(text),
    minItems: 1,
    description:
      'The permissions of the key, at least one. Without it, the key has all permissions of the login or API key that creates it.',
  },
  'user_id?': ignored(text, 'Has no effect: the key belongs to the caller. Older clients send it.'),
})

const keys = new NounRoutes({
  tag: 'API keys',
  path: '/api/v1/api-keys',
  type: 'ApiKey',
  shape: apiKey,
})

export const apiKeyRoutes: RestRoute[] = [
  keys.list('List API keys, including revoked ones', { filters: {} }),
  keys.create('Create an API key; its secret is shown only once', {
    body: newKey,
    beside: new ResponseShape('CreateApiKeyPayload', { secret: text }),
    headers: { 'cache-control': 'no-store' },
  }),
  keys.delete('Revoke an API key', { mutation: 'RevokeApiKey', ...noContent }),
]
