import { type ApolloServer, HeaderMap } from '@apollo/server'
import { type GraphRequest } from './graphql/context.ts'
import { type Reply } from './reply.ts'

export interface GraphHttpRequest {
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  search: string
  body: unknown
}

/** One GraphQL request over HTTP. */
export async function serveGraph(apollo: ApolloServer<GraphRequest>, request: GraphHttpRequest, context: GraphRequest): Promise<Reply> {
  const headers = new HeaderMap()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const { method, search, body } = request
  const answer = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, headers, search, body },
    context: () => Promise.resolve(context),
  })
  const text = answer.body.kind === 'complete' ? answer.body.string : await joined(answer.body.asyncIterator)
  return { status: answer.status ?? 200, headers: { 'cache-control': 'no-store', ...Object.fromEntries(answer.headers) }, body: text }
}

async function joined(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
