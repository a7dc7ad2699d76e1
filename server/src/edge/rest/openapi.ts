import { faultTable } from '../faults.ts'
import { type RestRoute } from './route.ts'
import { restRoutes } from './routes.ts'
import { scalar } from './scalar.ts'
import { type Schema, list, object } from './shapes.ts'

const { id, text, whole } = scalar

const problem = object({
  ...{ type: text, title: text, status: whole, detail: text, code: { type: 'string', enum: Object.keys(faultTable) } },
  ...{ request_id: text, remedy: text, 'fields?': list(object({ path: text, message: text })) },
  error: { type: 'string', description: 'The same sentence as `detail`, for clients of the older interface.' },
})

/** OpenAPI 3.1 printed from the route table; nothing in it is written twice. */
export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const row of restRoutes) (paths[row.path] ??= {})[row.method.toLowerCase()] = operationOf(row)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Berth',
      version,
      summary: 'Virtual machines for many tenants.',
      description: 'Every endpoint runs a document on the GraphQL schema; what one refuses, the other refuses in the same words.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(restRoutes.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token from /api/v1/auth/login, or an API key.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

const operationIdOf = (row: RestRoute): string => /\b(?:query|mutation)\s+(\w+)/.exec(row.run)?.[1] ?? row.path

function operationOf(row: RestRoute): object {
  const answered = row.response
    ? { description: 'Done.', content: { 'application/json': { schema: row.response } } }
    : { description: 'Done.' }
  return {
    operationId: operationIdOf(row),
    summary: row.summary,
    tags: [row.tag],
    parameters: parametersOf(row),
    ...(row.request ? { requestBody: { required: true, content: { 'application/json': { schema: row.request } } } } : {}),
    ...(row.public ? { security: [] } : {}),
    responses: { [row.status]: answered, ...refusalsOf(row) },
  }
}

function parametersOf(row: RestRoute): object[] {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name ?? '', 'path', { schema: text, required: true }))
  const paging = row.pageOf
    ? [parameter('limit', 'query', { schema: { ...whole, minimum: 1 } }), parameter('cursor', 'query', { schema: text })]
    : []
  const asked = Object.entries(row.query ?? {}).map(([name, { schema, description }]) => parameter(name, 'query', { schema, description }))
  const tenant = row.public ? [] : [parameter('X-Tenant-ID', 'header', { schema: id, description: 'The tenant to act in; root only.' })]
  const key =
    row.method === 'GET'
      ? []
      : [parameter('Idempotency-Key', 'header', { schema: text, description: 'Repeats with the same key get the same answer for a day.' })]
  return [...inPath, ...paging, ...asked, ...tenant, ...key]
}

const parameter = (name: string, place: string, rest: { schema: Schema; required?: boolean; description?: string }): object => ({
  name,
  in: place,
  ...rest,
})

/** What any endpoint may answer instead. */
function refusalsOf(row: RestRoute): Record<string, object> {
  const always = [400, 429, 500, 503]
  const guarded = row.public ? [401] : [401, 403, 404]
  const writing = row.method === 'GET' ? [] : [409, 413]
  const statuses = [...always, ...guarded, ...writing].sort((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [status, refusalOf(status)]))
}

function refusalOf(status: number): object {
  const titles = [...new Set(Object.values(faultTable).flatMap((words) => (words.status === status ? [words.title] : [])))]
  return { description: titles.join('; '), content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } }
}
