import { field } from '../../../engine/rest/field.ts'
import { pageOf, pageFields } from '../../../engine/rest/input.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, orNull } from '../../../engine/rest/shapes.ts'

const { id, text, time, whole } = scalar

const fields = `id user_id: userId tenant_id: tenantId name prefix scopes expires_at: expiresAt last_used_at: lastUsedAt
  revoked_at: revokedAt created_at: createdAt`

const apiKey = object({
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

export const apiKeyRoutes: RestRoute[] = [
  route<{ apiKeys: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'List API keys; revoked ones stay listed',
    tag: 'API keys',
    run: `query ListApiKeys($first: Int, $after: String) { apiKeys(first: $first, after: $after) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => pageOf(query),
    output: ({ apiKeys }) => ({ api_keys: apiKeys.nodes }),
    pageOf: ({ apiKeys }) => apiKeys.pageInfo,
    status: 200,
    response: object({ api_keys: list(apiKey) }),
  }),
  route<{ createApiKey: { apiKey: object; secret: string } }>({
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Make an API key; its secret is shown once',
    tag: 'API keys',
    run: `mutation CreateApiKey($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { ${fields} } secret } }`,
    input: ({ body }) => ({
      input: {
        name: field.text(body, 'name') ?? 'default',
        expiresInDays: field.positive(body, 'expires_in_days'),
        scopes: field.texts(body, 'scopes'),
      },
    }),
    output: ({ createApiKey }) => ({ api_key: createApiKey.apiKey, secret: createApiKey.secret }),
    status: 201,
    headers: { 'cache-control': 'no-store' },
    request: object({ 'name?': text, 'expires_in_days?': whole, 'scopes?': list(text) }),
    response: object({ api_key: apiKey, secret: text }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/api-keys/{id}',
    summary: 'Revoke an API key',
    tag: 'API keys',
    run: `mutation RevokeApiKey($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => null,
    status: 204,
    response: null,
  }),
]
