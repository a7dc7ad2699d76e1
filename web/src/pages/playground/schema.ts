import {
  type GraphQLSchema,
  type IntrospectionQuery,
  buildClientSchema,
  getIntrospectionQuery,
} from 'graphql'
import type { Console } from '../../session/console.ts'

/** Fetches the schema by introspection. Returns null when the server does not allow it. */
export async function fetchSchema(berth: Console): Promise<GraphQLSchema | null> {
  const body = JSON.stringify({ query: getIntrospectionQuery({ descriptions: true }) })
  const answer = await berth.session.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  // The cast is safe: this is the answer to the introspection query above.
  const { data } = (await answer.json()) as { data?: IntrospectionQuery | null }
  return data ? buildClientSchema(data) : null
}
