import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { pageOf, pageFields } from '../../../engine/rest/input.ts'
import { RequestBody, textOr } from '../../../engine/rest/request-body.ts'
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
  'name?': textOr(text, 'default'),
  'expires_in_days?': whole,
  'scopes?': list(text),
})

export const apiKeyRoutes: RestRoute[] = [
  route<{ apiKeys: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'List API keys, including revoked ones',
    tag: 'API keys',
    run: `query ListApiKeys($first: Int, $after: String) { apiKeys(first: $first, after: $after) { nodes { ${apiKey.selection} } ${pageFields} } }`,
    input: ({ query }) => pageOf(query),
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
    input: ({ body }) => ({ input: newKey.read(body) }),
    output: ({ createApiKey }) => ({
      api_key: apiKey.toWire(createApiKey.apiKey),
      secret: createApiKey.secret,
    }),
    status: 201,
    headers: { 'cache-control': 'no-store' },
    request: newKey.schema,
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
