import { invalidInput } from '../http/faults.ts'
import { oneOf } from './shapes.ts'
import { messageOf } from '../model/message.ts'

/** What a document asks of a page for the address of the next. */
export const pageFields = 'pageInfo { endCursor hasNextPage }'

/**
 * `limit` and `cursor` of a list; without a limit everything is asked for and the server's cap
 * decides.
 */
export function pageOf(query: URLSearchParams): { first: number; after: string | null } {
  const limit = query.get('limit')
  if (limit !== null && !/^[1-9]\d{0,5}$/.test(limit))
    throw invalidInput('limit', messageOf('field.not_positive_whole'))
  return { first: limit === null ? everything : Number(limit), after: query.get('cursor') }
}

const everything = 1_000_000

const sorts: Readonly<Record<string, string>> = { created_at: 'createdAt', name: 'name' }
const sortWords = Object.keys(sorts).flatMap((name) => [name, `-${name}`])

/** The query of a list that can be searched and sorted, and what it says to the document. */
export const listing = {
  query: {
    filter: { description: 'Only those in which this text is.', schema: { type: 'string' } },
    sort: {
      description: 'Upwards, or downwards with a minus before the name.',
      schema: oneOf(...sortWords),
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
  if (by === undefined || !sortWords.includes(sort))
    throw invalidInput('sort', messageOf('field.not_one_of', { words: sortWords.join(', ') }))
  return { by, direction: sort.startsWith('-') ? 'desc' : 'asc' }
}
