import { type FaultCode } from '../../model/fault.ts'
import { type Schema } from '../json-schema.ts'
import { acceptedSchema } from '../operation-body.ts'
import { lowerFirst } from '../field-table.ts'
import { type RestRoute } from '../route.ts'
import { scalar } from '../scalar.ts'
import { exampleOf } from './examples.ts'

const { text, whole } = scalar

export interface OpenApiResponse {
  description: string
  headers?: Record<string, { description: string; schema: Schema }>
  /** The codes with which the operation can be refused with this status. */
  'x-codes'?: readonly FaultCode[]
  content?: Record<string, { schema: Schema; example?: unknown }>
}

export const header = (
  description: string,
  schema: Schema = text,
): { description: string; schema: Schema } => ({ description, schema })

/** Describes the responses of an operation that is not refused. `name` is that of its document. */
export function successesOf(
  row: RestRoute,
  name: string,
  example: unknown,
): Record<string, OpenApiResponse> {
  const schema = row.response && namedResponse(row.response, name)
  const types = row.media ?? ['application/json']
  const body = schema && { schema, ...exampleOf(example) }
  const content = body && { content: Object.fromEntries(types.map((type) => [type, body])) }
  return {
    [row.status]: { description: successDescription(row), ...headersOf(row), ...content },
    ...laterOf(row),
    ...unchangedOf(row),
  }
}

/** Names an object without a name of its own after the operation that returns it. */
const namedResponse = (schema: Schema, operation: string): Schema =>
  schema.type === 'object' && !schema.component
    ? {
        ...schema,
        component: {
          name: `${operation}Result`,
          description: `The response of \`${lowerFirst(operation)}\`.`,
        },
      }
    : schema

const successDescription = ({ status, accepted }: RestRoute): string => {
  if (status === 204) return 'Done, without a body.'
  if (accepted) return 'Done, or accepted: the object has its present state.'
  return status === 201 ? 'Created.' : 'Done.'
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
