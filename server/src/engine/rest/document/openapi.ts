import { statusOf, titleOf } from '../../http/faults.ts'
import { type RestRoute, canWait } from '../route.ts'
import { acceptedSchema } from '../operation-body.ts'
import { type RequestBody } from '../request-body.ts'
import { queryTableOf } from '../request-query.ts'
import { scalar } from '../scalar.ts'
import { type Schema, component, list, object } from '../json-schema.ts'
import { faultCodes } from '../../model/fault.ts'
import { lowerFirst } from '../field-table.ts'

const { id, text, whole } = scalar

const problemField = component({ name: 'ProblemField' }, object({ path: text, message: text }))

const problem = component(
  { name: 'Problem' },
  object({
    type: text,
    title: text,
    status: whole,
    detail: text,
    code: { type: 'string', enum: faultCodes },
    request_id: text,
    remedy: text,
    'fields?': list(problemField),
    error: {
      type: 'string',
      description: 'Same as `detail`, for clients of the older interface.',
    },
  }),
)

/** The part of OpenAPI 3.1 that the REST interface uses. */
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: object[]
  security: object[]
  tags: { name: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, Schema>; securitySchemes: object }
}

export interface OpenApiOperation {
  operationId: string
  summary: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  /** Present and empty when the operation is public. */
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

/**
 * Builds the OpenAPI 3.1 document from the route table, which states each fact once. Every schema
 * is where it is used; `withComponents` names them.
 */
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
        'Every endpoint runs a document on the GraphQL schema. Both interfaces refuse a request for the same reasons and with the same messages.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(routes.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {},
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

/** Returns the name of the row's document, such as `CreateVm`. */
const operationNameOf = (row: RestRoute): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(row.run)?.[1] ?? row.path

/** Names the body of a request after its operation. */
function requestSchemaOf(row: RestRoute, request: RequestBody): Schema {
  const name = operationNameOf(row)
  return request.schemaFor(name, `${name}Input`)
}

/** Names an object without a name of its own after the operation that returns it. */
const responseSchemaOf = (row: RestRoute, schema: Schema): Schema =>
  schema.type === 'object' && !schema.component
    ? component({ name: `${operationNameOf(row)}Result` }, schema)
    : schema

function operationOf(row: RestRoute): OpenApiOperation {
  const content = row.response
    ? { content: { [row.media ?? 'application/json']: { schema: responseSchemaOf(row, row.response) } } }
    : {}
  const successResponse = { description: 'Done.', ...headersOf(row), ...content }
  return {
    operationId: lowerFirst(operationNameOf(row)),
    summary: row.summary,
    tags: [row.tag],
    parameters: parametersOf(row),
    ...(row.request
      ? {
          requestBody: {
            required: !row.request.mayBeMissing,
            content: { 'application/json': { schema: requestSchemaOf(row, row.request) } },
          },
        }
      : {}),
    ...(row.public ? { security: [] } : {}),
    responses: {
      [row.status]: successResponse,
      ...laterOf(row),
      ...unchangedOf(row),
      ...refusalsOf(row),
    },
  }
}

function headersOf(row: RestRoute): Pick<OpenApiResponse, 'headers'> {
  const headers = {
    ...(row.versionOf ? { ETag: header('For `If-Match`.') } : {}),
    ...(row.accepted ? operationHeader : {}),
    ...(row.method === 'GET' ? {} : replayedHeader),
    ...(row.created ? { Location: header('The created object.') } : {}),
    ...(row.pageOf
      ? { Link: header('URL of the next page as `rel="next"`; absent on the last page.') }
      : {}),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

const header = (
  description: string,
  schema: Schema = text,
): { description: string; schema: Schema } => ({ description, schema })

const replayedHeader = {
  'Idempotent-Replayed': header(
    '`true` when the request was answered before under the same `Idempotency-Key`.',
  ),
}

/** Answers with the object name its operation, too. */
const operationHeader = {
  'Operation-Location': header(
    'The operation that the request started; absent when it started none.',
  ),
}

function laterOf({ accepted }: RestRoute): Record<string, OpenApiResponse> {
  if (!accepted) return {}
  const headers = {
    Location: header('The operation.'),
    ...operationHeader,
    'Retry-After': header('Seconds to wait before the operation is read.', whole),
  }
  return {
    202: {
      description: 'Accepted: `Location` names the operation.',
      headers,
      content: { 'application/json': { schema: acceptedSchema } },
    },
  }
}

/** A read whose object has not changed since the client read it. */
const unchangedOf = ({ method, versionOf }: RestRoute): Record<string, OpenApiResponse> =>
  method === 'GET' && versionOf
    ? { 304: { description: 'Not changed.', headers: { ETag: header('For `If-Match`.') } } }
    : {}

function parametersOf(row: RestRoute): Parameter[] {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    parameter(name ?? '', 'path', { schema: text, required: true }),
  )
  const query = queryTableOf(row.query, { isPaged: row.pageOf !== undefined })
  const inQuery = Object.entries(query).map(([name, { schema, description, isRequired }]) =>
    parameter(name, 'query', { schema, description, ...(isRequired ? { required: true } : {}) }),
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
            description: 'Requests with the same key get the same response for 24 hours.',
          }),
        ]
  return [...inPath, ...inQuery, ...tenant, ...key, ...conditionsOf(row)]
}

function conditionsOf(row: RestRoute): Parameter[] {
  const ifMatchDescription =
    'ETag of an earlier response, or several of them. The request is refused when the object has changed since.'
  const ifNoneMatchDescription =
    'ETag of an earlier response. The response is 304 without a body when the object has not changed since.'
  const preferDescription =
    '`wait=N` responds when the operation ends, or after N seconds. `respond-async` does not wait. An operation that has not ended gets 202.'
  return [
    ...(row.takesVersion
      ? [parameter('If-Match', 'header', { schema: text, description: ifMatchDescription })]
      : []),
    ...(row.versionOf && row.method === 'GET'
      ? [
          parameter('If-None-Match', 'header', {
            schema: text,
            description: ifNoneMatchDescription,
          }),
        ]
      : []),
    ...(canWait(row)
      ? [parameter('Prefer', 'header', { schema: text, description: preferDescription })]
      : []),
  ]
}

const parameter = (
  name: string,
  location: string,
  rest: Omit<Parameter, 'name' | 'in'>,
): Parameter => ({
  name,
  in: location,
  ...rest,
})

/** Lists the refusals that an endpoint may return. */
function refusalsOf(row: RestRoute): Record<string, OpenApiResponse> {
  const alwaysPossible = [400, 406, 412, 429, 500, 503]
  const authorization = row.public ? [401] : [401, 403, 404]
  const writeStatuses = row.method === 'GET' ? [] : [409, 413]
  const bodyStatuses = row.request ? [415] : []
  const statuses = [...alwaysPossible, ...authorization, ...writeStatuses, ...bodyStatuses].sort(
    (a, b) => a - b,
  )
  return Object.fromEntries(statuses.map((status) => [status, refusalOf(status)]))
}

/** Describes a refusal status. Clients branch on `code`, which is one of the listed codes. */
function refusalOf(status: number): OpenApiResponse {
  const descriptions = faultCodes.flatMap((code) =>
    statusOf[code] === status ? [`${titleOf(code).toString()} (\`${code}\`)`] : [],
  )
  const headers = [429, 503].includes(status)
    ? { headers: { 'Retry-After': header('Seconds to wait.', whole) } }
    : {}
  return {
    description: descriptions.join('; '),
    ...headers,
    content: { 'application/problem+json': { schema: problem } },
  }
}
