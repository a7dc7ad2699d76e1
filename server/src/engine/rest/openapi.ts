import { statusOf, titleOf } from '../http/faults.ts'
import { type RestRoute, canWait } from './route.ts'
import { jobSchema } from './later.ts'
import { scalar } from './scalar.ts'
import { type Schema, list, object } from './shapes.ts'
import { faultCodes } from '../model/fault.ts'

const { id, text, whole } = scalar

const problem = object({
  type: text,
  title: text,
  status: whole,
  detail: text,
  code: { type: 'string', enum: faultCodes },
  request_id: text,
  remedy: text,
  'fields?': list(object({ path: text, message: text })),
  error: {
    type: 'string',
    description: 'The same sentence as `detail`, for clients of the older interface.',
  },
})

/** What of OpenAPI 3.1 this interface needs. */
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: object[]
  security: object[]
  tags: { name: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: { Problem: Schema }; securitySchemes: object }
}

export interface OpenApiOperation {
  operationId: string
  summary: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { required: true; content: { 'application/json': { schema: Schema } } }
  /** There, and empty, where anybody may call it. */
  security?: []
  responses: Record<string, OpenApiResponse>
}

export interface OpenApiResponse {
  description: string
  headers?: Record<string, { description: string; schema: Schema }>
  content?: Record<string, { schema: Schema }>
}

interface Parameter {
  name: string
  in: string
  schema: Schema
  required?: boolean
  description?: string
}

/** OpenAPI 3.1 printed from the route table; nothing in it is written twice. */
export function openApiDocument(routes: readonly RestRoute[], version: string): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const row of routes) (paths[row.path] ??= {})[row.method.toLowerCase()] = operationOf(row)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Berth',
      version,
      summary: 'Virtual machines for many tenants.',
      description:
        'Every endpoint runs a document on the GraphQL schema; what one refuses, the other refuses in the same words.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(routes.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token from /api/v1/auth/login, or an API key.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}

const operationIdOf = (row: RestRoute): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(row.run)?.[1] ?? row.path

function operationOf(row: RestRoute): OpenApiOperation {
  const content = row.response
    ? { content: { [row.media ?? 'application/json']: { schema: row.response } } }
    : {}
  const answered = { description: 'Done.', ...headersOf(row), ...content }
  return {
    operationId: operationIdOf(row),
    summary: row.summary,
    tags: [row.tag],
    parameters: parametersOf(row),
    ...(row.request
      ? {
          requestBody: { required: true, content: { 'application/json': { schema: row.request } } },
        }
      : {}),
    ...(row.public ? { security: [] } : {}),
    responses: { [row.status]: answered, ...laterOf(row), ...refusalsOf(row) },
  }
}

function headersOf(row: RestRoute): Pick<OpenApiResponse, 'headers'> {
  const headers = {
    ...(row.versionOf ? { ETag: header('For `If-Match`.') } : {}),
    ...(row.pageOf
      ? { Link: header('Where the next page is, as `rel="next"`; absent at the end.') }
      : {}),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

const header = (
  description: string,
  schema: Schema = text,
): { description: string; schema: Schema } => ({ description, schema })

function laterOf({ later }: RestRoute): Record<string, OpenApiResponse> {
  if (!later) return {}
  const headers = { Location: header('The operation.') }
  return {
    202: {
      description: 'Accepted: `Location` names the operation.',
      headers,
      content: { 'application/json': { schema: jobSchema } },
    },
  }
}

function parametersOf(row: RestRoute): Parameter[] {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    parameter(name ?? '', 'path', { schema: text, required: true }),
  )
  const paging = row.pageOf
    ? [
        parameter('limit', 'query', { schema: { ...whole, minimum: 1 } }),
        parameter('cursor', 'query', { schema: text }),
      ]
    : []
  const asked = Object.entries(row.query ?? {}).map(([name, { schema, description }]) =>
    parameter(name, 'query', { schema, description }),
  )
  const tenant = row.public
    ? []
    : [
        parameter('X-Tenant-ID', 'header', {
          schema: id,
          description: 'The tenant to act in; root only.',
        }),
      ]
  const key =
    row.method === 'GET'
      ? []
      : [
          parameter('Idempotency-Key', 'header', {
            schema: text,
            description: 'Repeats with the same key get the same answer for a day.',
          }),
        ]
  return [...inPath, ...paging, ...asked, ...tenant, ...key, ...conditionsOf(row)]
}

function conditionsOf(row: RestRoute): Parameter[] {
  const match = 'The ETag of an earlier answer: refuse when it has changed since.'
  const wait =
    '`wait=N`: answer when the operation has ended, or after so many seconds; `respond-async`: do not wait. What has not ended is answered with 202.'
  return [
    ...(row.versionOf && row.method !== 'GET'
      ? [parameter('If-Match', 'header', { schema: text, description: match })]
      : []),
    ...(canWait(row) ? [parameter('Prefer', 'header', { schema: text, description: wait })] : []),
  ]
}

const parameter = (
  name: string,
  place: string,
  rest: Omit<Parameter, 'name' | 'in'>,
): Parameter => ({
  name,
  in: place,
  ...rest,
})

/** What any endpoint may answer instead. */
function refusalsOf(row: RestRoute): Record<string, OpenApiResponse> {
  const always = [400, 406, 429, 500, 503]
  const guarded = row.public ? [401] : [401, 403, 404]
  const writing = row.method === 'GET' ? [] : [409, 413]
  const read = row.request ? [415] : []
  const statuses = [...always, ...guarded, ...writing, ...read].sort((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [status, refusalOf(status)]))
}

/** Whatever a client could do about it in code is told by its `code`, which is one of these. */
function refusalOf(status: number): OpenApiResponse {
  const told = faultCodes.flatMap((code) =>
    statusOf[code] === status ? [`${titleOf(code).toString()} (\`${code}\`)`] : [],
  )
  const headers = [429, 503].includes(status)
    ? { headers: { 'Retry-After': header('Seconds to wait.', whole) } }
    : {}
  return {
    description: told.join('; '),
    ...headers,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}
