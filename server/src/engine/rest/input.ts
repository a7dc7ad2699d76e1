import { invalidInput } from '../http/faults.ts'
import { oneOf } from './json-schema.ts'
import { messageOf } from '../model/message.ts'

/** The page fields that a document selects, for the link to the next page. */
export const pageFields = 'pageInfo { endCursor hasNextPage }'

/**
 * Reads `limit` and `cursor` of a list. Without a limit the caller requests all rows, and the
 * server's cap applies.
 */
export function pageOf(query: URLSearchParams): { first: number; after: string | null } {
  const limit = query.get('limit')
  if (limit !== null && !/^[1-9]\d{0,5}$/.test(limit))
    throw invalidInput('limit', messageOf('field.not_positive_whole'))
  return { first: limit === null ? noLimit : Number(limit), after: query.get('cursor') }
}

const noLimit = 1_000_000

const sorts: Readonly<Record<string, string>> = { created_at: 'createdAt', name: 'name' }
const sortValues = Object.keys(sorts).flatMap((name) => [name, `-${name}`])

/**
 * The query parameters of a list that supports search and sort, and the document variables for
 * them.
 */
export const listing = {
  query: {
    filter: {
      description: 'Returns only items that contain this text.',
      schema: { type: 'string' },
    },
    sort: {
      description: 'Sort field; a leading minus sorts in descending order.',
      schema: oneOf(...sortValues),
    },
  },
  variables: (query: URLSearchParams) => ({
    ...pageOf(query),
    filter: { search: query.get('filter') },
    orderBy: orderOf(query.get('sort')),
  }),
} as const

function orderOf(sort: string | null): { by: string; direction: string } | null {
  if (sort === null) return null
  const by = sorts[sort.replace(/^-/, '')]
  if (by === undefined || !sortValues.includes(sort))
    throw invalidInput('sort', messageOf('field.not_one_of', { words: sortValues.join(', ') }))
  return { by, direction: sort.startsWith('-') ? 'desc' : 'asc' }
}
