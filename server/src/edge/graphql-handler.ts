import { type IncomingHttpHeaders } from 'node:http'
import { type ApolloServer, HeaderMap } from '@apollo/server'
import { type Fault } from '../engine/model/fault.ts'
import {
  bodyLimit,
  parseBody,
  parseJson,
  readText,
  strangerBodyLimit,
} from '../engine/http/body.ts'
import { faultFrom, statusOf } from '../engine/http/faults.ts'
import { type GraphRequest } from './graphql/context.ts'
import { type Handler, type RequestContext, logRequestFailure } from '../engine/http/http.ts'
import { extensionsFrom, retryHeaders } from '../engine/http/problem.ts'
import { type Reply, jsonReply } from '../engine/http/reply.ts'
import {
  type RateLimitedRequest,
  type ServerContext,
  rateLimitedRequest,
} from './request-context.ts'

/** Serves the documents of users, and those of callers without a login. */
export interface GraphServers {
  users: ApolloServer<GraphRequest>
  strangers: ApolloServer<GraphRequest>
}

/**
 * Serves GraphQL over HTTP at `/graphql`. Apollo Server reads the protocol, and Berth authenticates
 * the caller and limits the rate.
 */
export function graphqlHandler(apollo: GraphServers, server: ServerContext): Handler {
  return (http) => (http.url.pathname === '/graphql' ? answer(apollo, server, http) : null)
}

/** Runs a query that came with another request. It counts as a request of its own. */
export type RunQuery = (
  http: RequestContext,
  query: { headers: IncomingHttpHeaders; body: string },
) => Promise<Reply>

/** Returns a function that runs one query without a request to `/graphql`. */
export const queryRunner =
  (apollo: ApolloServer<GraphRequest>, server: ServerContext): RunQuery =>
  async (http, { headers, body }) => {
    const context = await contextOf(
      { ...http, request: { headers, socket: http.request.socket } },
      server,
    )
    return 'status' in context
      ? context
      : serveGraph(apollo, { method: 'POST', headers, search: '', body: parseJson(body) }, context)
  }

async function answer(
  { users, strangers }: GraphServers,
  server: ServerContext,
  http: RequestContext,
): Promise<Reply> {
  const { request, method, url } = http
  const context = await contextOf(http, server)
  if ('status' in context) return context
  const isStranger = context.viewer.credential === 'none'
  const most = isStranger ? strangerBodyLimit : bodyLimit
  const body =
    method === 'POST' ? graphBody(request.headers, await readText(request, most)) : undefined
  return serveGraph(
    isStranger ? strangers : users,
    { method, headers: request.headers, search: url.search, body },
    context,
  )
}

/** Returns a refusal in the shape of GraphQL when the request itself is refused. */
const contextOf = (
  http: RateLimitedRequest & Pick<RequestContext, 'method'>,
  server: ServerContext,
): Promise<GraphRequest | Reply> =>
  rateLimitedRequest(http, server).catch((error: unknown) => {
    const fault = faultFrom(error)
    logRequestFailure(server.log, http, fault)
    return graphRefusal(fault, http.requestId)
  })

function graphRefusal(fault: Fault, requestId: string): Reply {
  const status = statusOf[fault.code]
  return jsonReply(
    status,
    { errors: [{ message: fault.message, extensions: extensionsFrom(fault, requestId) }] },
    retryHeaders(fault),
  )
}

/** Only JSON is parsed; Apollo refuses every other content type itself. */
function graphBody(headers: IncomingHttpHeaders, text: string): unknown {
  const [type = ''] = headers['content-type']?.split(';') ?? []
  return type.trim().toLowerCase() === 'application/json' ? parseBody(text, headers) : text
}

interface GraphHttpRequest {
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  search: string
  body: unknown
}

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
