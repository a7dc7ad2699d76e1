import { type IncomingHttpHeaders } from 'node:http'
import { type ApolloServer, HeaderMap } from '@apollo/server'
import { type Fault } from '../engine/model/fault.ts'
import { parseJson, readText } from '../engine/http/body.ts'
import { faultFrom, statusOf } from '../engine/http/faults.ts'
import { type GraphRequest } from './graphql/context.ts'
import { type Door, type Visit } from '../engine/http/http.ts'
import { extensionsFrom, retryHeaders } from '../engine/http/problem.ts'
import { type Reply, jsonReply } from '../engine/http/reply.ts'
import { type Counted, type Site, countedRequest } from './request-context.ts'

export function graphDoor(apollo: ApolloServer<GraphRequest>, site: Site): Door {
  return (visit) => (visit.url.pathname === '/graphql' ? answer(apollo, site, visit) : null)
}

/** A question that came along with another request; it counts as one of its own. */
export type Ask = (
  visit: Visit,
  question: { headers: IncomingHttpHeaders; body: string },
) => Promise<Reply>

export const askOn =
  (apollo: ApolloServer<GraphRequest>, site: Site): Ask =>
  async (visit, { headers, body }) => {
    const context = await contextOf(
      { ...visit, request: { headers, socket: visit.request.socket } },
      site,
    )
    return 'status' in context
      ? context
      : serveGraph(apollo, { method: 'POST', headers, search: '', body: parseJson(body) }, context)
  }

async function answer(
  apollo: ApolloServer<GraphRequest>,
  site: Site,
  visit: Visit,
): Promise<Reply> {
  const { request, method, url } = visit
  const context = await contextOf(visit, site)
  if ('status' in context) return context
  const body =
    method === 'POST'
      ? graphBody(request.headers['content-type'], await readText(request))
      : undefined
  return serveGraph(apollo, { method, headers: request.headers, search: url.search, body }, context)
}

/** A caller who is refused at the door speaks GraphQL and gets the refusal in that shape. */
const contextOf = (visit: Counted, site: Site): Promise<GraphRequest | Reply> =>
  countedRequest(visit, site).catch((error: unknown) =>
    graphRefusal(faultFrom(error), visit.requestId),
  )

function graphRefusal(fault: Fault, requestId: string): Reply {
  const status = statusOf[fault.code]
  return jsonReply(
    status,
    { errors: [{ message: fault.message, extensions: extensionsFrom(fault, requestId) }] },
    retryHeaders(fault),
  )
}

/** Only JSON is parsed; Apollo refuses every other content type itself. */
function graphBody(contentType: string | undefined, text: string): unknown {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json'
    ? parseJson(text)
    : text
}

interface GraphHttpRequest {
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  search: string
  body: unknown
}

/** One GraphQL request over HTTP. */
async function serveGraph(
  apollo: ApolloServer<GraphRequest>,
  request: GraphHttpRequest,
  context: GraphRequest,
): Promise<Reply> {
  const headers = new HeaderMap()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const { method, search, body } = request
  const answer = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, headers, search, body },
    context: () => Promise.resolve(context),
  })
  const text =
    answer.body.kind === 'complete' ? answer.body.string : await joined(answer.body.asyncIterator)
  return {
    status: answer.status ?? 200,
    headers: { 'cache-control': 'no-store', ...Object.fromEntries(answer.headers) },
    body: text,
  }
}

async function joined(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
