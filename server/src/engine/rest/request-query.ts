import { type FaultField } from '../model/fault.ts'
import { messageOf } from '../model/message.ts'
import { problemsOf, unknownName } from './check-value.ts'
import { camelCase } from './field-table.ts'
import { type Schema, oneOf } from './json-schema.ts'
import { scalar } from './scalar.ts'
import { strictSchema } from './strict-schema.ts'

export interface QueryParameter {
  description: string
  schema: Schema
  isRequired?: boolean
  /** The field of the filter when it is not the camel-case name. */
  as?: string
}

/** The query parameters of a route by name. A list may be repeated. */
export type QueryTable = Readonly<Record<string, QueryParameter>>

/** The values of a query, converted to the types of their schemas. */
export type QueryValues = Readonly<Record<string, unknown>>

/** The page fields that a document selects, for the link to the next page. */
export const pageFields = 'pageInfo { endCursor hasNextPage }'

/** The parameters of a list that is read in pages. */
const pageParameters: QueryTable = {
  limit: {
    description: 'The number of rows in a page. Without it, all rows are returned, up to 10,000.',
    schema: scalar.whole,
  },
  cursor: {
    description: 'The position after which the page begins, from the header `Link`.',
    schema: scalar.text,
  },
}

/** The filter of a list that supports only search. */
export const searchFilter: QueryTable = {
  filter: {
    description: 'Returns only items that contain this text.',
    schema: { ...scalar.text, minLength: 0 },
    as: 'search',
  },
}

export const usualSorts = ['created_at', 'name'] as const

/** The parameter of a list that can be sorted by any of these fields. */
export const sortParameter = (fields: readonly string[]): QueryTable => ({
  sort: {
    description: 'Sort field; a leading minus sorts in descending order.',
    schema: oneOf(...fields.flatMap((name) => [name, `-${name}`])),
  },
})

type Variables = Record<string, unknown>

const noLimit = 1_000_000

/** Returns the document variables of a page. Without a limit the cap of the server applies. */
export const pageVariables = ({ limit = noLimit, cursor = null }: QueryValues): Variables => ({
  first: limit,
  after: cursor,
})

/** Returns the document variables of a list. */
export const listVariables = (query: QueryValues, filters: QueryTable): Variables => ({
  ...pageVariables(query),
  filter: Object.fromEntries(
    Object.entries(filters).map(([name, parameter]) => [fieldOf(name, parameter), query[name]]),
  ),
  orderBy: orderOf(query['sort']),
})

const fieldOf = (name: string, { as = camelCase(name) }: QueryParameter): string => as

/** Returns the REST names of the fields of a filter. */
export const wireNamesOf = (filters: QueryTable): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, parameter]) => [fieldOf(name, parameter), name]),
  )

function orderOf(sort: unknown): object | null {
  if (typeof sort !== 'string') return null
  return { by: camelCase(sort.replace(/^-/, '')), direction: sort.startsWith('-') ? 'desc' : 'asc' }
}

/** Returns the parameters of a route: its own and, for a list, those of its pages. */
export const queryTableOf = (own: QueryTable = {}, { isPaged }: { isPaged: boolean }): QueryTable =>
  Object.fromEntries(
    Object.entries({ ...(isPaged ? pageParameters : {}), ...own }).map(([name, parameter]) => [
      name,
      { ...parameter, schema: strictSchema(parameter.schema) },
    ]),
  )

interface ReadQuery {
  values: QueryValues
  problems: readonly FaultField[]
}

/** Reads the query of a request and lists everything in it that its table does not describe. */
export function readQuery(query: URLSearchParams, table: QueryTable): ReadQuery {
  const known = Object.keys(table)
  const problems = [...new Set(query.keys())]
    .filter((name) => !Object.hasOwn(table, name))
    .map((path) => ({ path, message: unknownName(path, known, 'parameter') }))
  const values: Record<string, unknown> = {}
  for (const [name, { schema, isRequired }] of Object.entries(table)) {
    const sent = query.getAll(name)
    if (sent.length > 1 && schema.type !== 'array')
      problems.push({ path: name, message: messageOf('field.repeated') })
    else if (sent.length > 0) {
      values[name] = schema.type === 'array' ? sent : valueOf(sent[0] ?? '', schema)
      problems.push(...problemsOf(schema, values[name], name))
    } else if (isRequired) problems.push({ path: name, message: messageOf('field.required') })
  }
  return { values, problems }
}

/** Returns the text itself when it is not a value of the schema's type, which is then refused. */
function valueOf(text: string, { type }: Schema): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}
