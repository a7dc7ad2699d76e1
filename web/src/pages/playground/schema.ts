import {
  type GraphQLSchema,
  type IntrospectionQuery,
  buildClientSchema,
  getIntrospectionQuery,
} from 'graphql'
import type { Console } from '../../session/console.ts'

/** The schema as the server tells it, or null where it is told not to. */
export async function fetchSchema(berth: Console): Promise<GraphQLSchema | null> {
  const body = JSON.stringify({ query: getIntrospectionQuery({ descriptions: true }) })
  const answer = await berth.session.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  // the answer to the query just above
  const { data } = (await answer.json()) as { data?: IntrospectionQuery | null }
  return data ? buildClientSchema(data) : null
}
