import { type RestRoute, canWait } from '../route.ts'
import { queryTableOf } from '../request-query.ts'
import { scalar } from '../scalar.ts'
import { type Schema } from '../json-schema.ts'

const { text } = scalar

export interface Parameter {
  name: string
  in: 'header' | 'path' | 'query'
  description: string
  required?: boolean
  schema: Schema
  example?: string | number
}

/** Lists the parameters of a route: in its path, its query and its headers. */
export function parametersOf(row: RestRoute): Parameter[] {
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => ({
    name,
    in: 'path',
    description: pathDescription(row.path, name),
    required: true,
    schema: text,
  }))
  const query = queryTableOf(row.query, { isPaged: row.pageOf !== undefined })
  const inQuery = Object.entries(query).map(
    ([name, { schema, description, isRequired }]): Parameter => ({
      name,
      in: 'query',
      description,
      ...(isRequired ? { required: true } : {}),
      schema,
    }),
  )
  return [...inPath, ...inQuery, ...headersOf(row)]
}

/** Returns `The id of the security group.` for the `id` in `/security-groups/{id}`. */
function pathDescription(path: string, name: string): string {
  const [kind = '', noun = nounBefore(path, name)] = name.split('_').toReversed()
  return `The ${kind} of the ${noun}.`
}

/** Returns the noun of the collection in which the parameter names an object. */
function nounBefore(path: string, name: string): string {
  const segments = path.split('/')
  const collection = segments[segments.indexOf(`{${name}}`) - 1] ?? ''
  return collection
    .slice(0, -1)
    .replaceAll('-', ' ')
    .replaceAll(/\b(?:api|ssh|vm|vpc)\b/g, (word) => word.toUpperCase())
}

function headersOf(row: RestRoute): Parameter[] {
  const isRead = row.method === 'GET'
  return [
    ...(row.public
      ? []
      : [
          header(
            'X-Tenant-ID',
            'The id or the slug of the tenant to act in. Only root can name another tenant than its own.',
          ),
        ]),
    ...(isRead
      ? []
      : [
          header(
            'Idempotency-Key',
            'Requests with the same key get the same response for 24 hours.',
          ),
        ]),
    ...(row.takesVersion
      ? [
          header(
            'If-Match',
            'ETag of an earlier response, or several of them. The request is refused when the object has changed since.',
          ),
        ]
      : []),
    ...(isRead && row.versionOf
      ? [
          header(
            'If-None-Match',
            'ETag of an earlier response. The response is 304 without a body when the object has not changed since.',
          ),
        ]
      : []),
    ...(canWait(row)
      ? [
          header(
            'Prefer',
            '`wait=N` responds when the operation ends, or after N seconds. `respond-async` does not wait. An operation that has not ended gets 202.',
          ),
        ]
      : []),
  ]
}

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  description,
  schema: text,
})
