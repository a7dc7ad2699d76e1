import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { pageFields, pageVariables } from '../../../engine/rest/request-query.ts'
import { RequestBody, ignored } from '../../../engine/rest/request-body.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, orNull } from '../../../engine/rest/json-schema.ts'

const { id, text, time, whole } = scalar

const apiKey = new ResponseShape({
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
  'expires_in_days?': { ...whole, description: 'Without it, the key does not expire.' },
  'scopes?': {
    ...list(text),
    minItems: 1,
    description:
      'The permissions of the key. Without it, the key has all permissions of its owner.',
  },
  'user_id?': ignored(text, 'Has no effect: the key belongs to the caller. Older clients send it.'),
})

export const apiKeyRoutes: RestRoute[] = [
  route<{ apiKeys: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'List API keys, including revoked ones',
    tag: 'API keys',
    run: `query ListApiKeys($first: Int, $after: String) { apiKeys(first: $first, after: $after) { nodes { ${apiKey.selection} } ${pageFields} } }`,
    input: ({ query }) => pageVariables(query),
    output: ({ apiKeys }) => ({ api_keys: apiKey.toWireAll(apiKeys.nodes) }),
    pageOf: ({ apiKeys }) => apiKeys.pageInfo,
    status: 200,
    response: object({ api_keys: list(apiKey.schema) }),
  }),
  route<{ createApiKey: { apiKey: object; secret: string } }>({
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Create an API key; its secret is shown only once',
    tag: 'API keys',
    run: `mutation CreateApiKey($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey { ${apiKey.selection} } secret } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createApiKey }) => ({
      api_key: apiKey.toWire(createApiKey.apiKey),
      secret: createApiKey.secret,
    }),
    status: 201,
    created: '/api/v1/api-keys/{id}',
    headers: { 'cache-control': 'no-store' },
    request: newKey,
    response: object({ api_key: apiKey.schema, secret: text }),
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
