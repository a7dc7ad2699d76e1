import { type GraphQLError, type GraphQLSchema } from 'graphql'
import { Fault } from '../engine/model/fault.ts'
import { invalid } from '../engine/model/name.ts'
import { type Viewer, anonymous } from '../engine/model/viewer.ts'
import { bodyLimit, parseBody, readText, strangerBodyLimit } from '../engine/http/body.ts'
import { type EventFeed } from './events/event-feed.ts'
import { compileText } from '../engine/graphql/execute.ts'
import { complaintCode } from '../engine/graphql/graph-errors.ts'
import { type GraphRequest } from './graphql/context.ts'
import { mustBeLoggedIn } from './graphql/authorize.ts'
import { type Handler, type RequestContext } from '../engine/http/http.ts'
import { allowedMethods } from '../engine/http/method-refused.ts'
import { type TextStream, jsonReply, optionsReply } from '../engine/http/reply.ts'
import { withComponents } from '../engine/rest/document/components.ts'
import { docsPage } from '../engine/rest/document/docs-page.ts'
import { type OpenApi } from '../engine/rest/document/openapi.ts'
import { type RestCall, createRestHandler } from '../engine/rest/rest.ts'
import { type RestRoute, type StreamedResponse } from '../engine/rest/route.ts'
import { StreamSlots } from './stream-slots.ts'
import { sourcesOn } from './rest-sources.ts'
import { type ServerContext, rateLimitedViewer, requestAs } from './request-context.ts'
import { credentialCheckFor } from './session/session-check.ts'
import { type WatchedStreams } from '../engine/sockets/watched-streams.ts'
import { inWireNames } from '../engine/http/wire-names.ts'
import { messageOf } from '../engine/model/message.ts'

const restPageCap = 10_000

interface RestContext {
  server: ServerContext
  events: EventFeed
  routes: readonly RestRoute[]
  streams: WatchedStreams
}

/**
 * Serves the REST interface under `/api/`. Each route runs a GraphQL document, so REST has the
 * authorization of GraphQL.
 */
export function restHandler(
  schema: GraphQLSchema,
  { server, events, routes, streams }: RestContext,
): Handler {
  const rest = createRestHandler(routes, (text) => compileText(schema, text))
  const restServer = { ...server, pageCap: restPageCap }
  const sourcesFor = sourcesOn(schema, events)
  const openStream = streamOpener(server, streams)
  return (http) => {
    if (!isOfPrograms(http.url.pathname)) return null
    const { method, url } = http
    const caller = callerOf(http, restServer)
    const header = (name: string): string | undefined => http.request.headers[name]?.toString()
    const sources = sourcesFor(caller.context)
    return rest({
      method,
      url,
      header,
      sources,
      readBody: () => bodyOf(http, caller.context()),
      openStream: (stream, open) =>
        openStream(stream, { viewer: caller.context().viewer, http, open }),
      ...caller,
    })
  }
}

/** True for paths that only programs request. A mistake in one must not open the console. */
const isOfPrograms = (path: string): boolean => /^\/(?:api|\.well-known)(?:\/|$)/i.test(path)

async function bodyOf(
  { request }: RequestContext,
  { viewer }: Pick<GraphRequest, 'viewer'>,
): Promise<unknown> {
  const most = viewer.credential === 'none' ? strangerBodyLimit : bodyLimit
  const text = await readText(request, most)
  return text.trim() === '' ? undefined : parseBody(text, request.headers)
}

interface Caller extends Pick<RestCall, 'admit' | 'run'> {
  context: () => GraphRequest
}

/** Admits the caller of a request once, for everything that the request then does. */
function callerOf(http: RequestContext, server: ServerContext): Caller {
  let admitted: GraphRequest | undefined
  const context = (): GraphRequest => {
    if (!admitted) throw new TypeError('a request was answered before its caller was admitted')
    return admitted
  }
  return {
    context,
    async admit({ isPublic }) {
      if (isPublic) server.budget.charge(http, anonymous)
      const viewer = isPublic ? anonymous : await rateLimitedViewer(http, server)
      if (!isPublic) mustBeLoggedIn(viewer)
      admitted = requestAs(viewer, http, server)
    },
    async run(executable, variables, { names, patienceSeconds }) {
      const { data, errors } = await executable.run({ ...context(), patienceSeconds }, variables)
      const [failed] = errors ?? []
      if (!failed) return data ?? {}
      const isOfVariable = complaintCode(failed) === 'invalid_input'
      throw inWireNames(isOfVariable ? invalidVariable(failed, variables) : failed, names)
    },
  }
}

interface StreamOpening {
  viewer: Viewer
  http: RequestContext
  open: () => Promise<TextStream>
}

/** Returns a function that opens a stream within its limits and watches the credential. */
function streamOpener({ identify }: ServerContext, streams: WatchedStreams) {
  const slots = new StreamSlots()
  return async (
    { keepAlive = '', limits = {} }: StreamedResponse,
    { viewer, http: { request, url }, open }: StreamOpening,
  ): Promise<TextStream> => {
    const { userId } = viewer
    const release = slots.acquire(userId, limits)
    const inner = await open().catch((error: unknown) => {
      release()
      throw error
    })
    const checkCredential = credentialCheckFor(viewer, () =>
      identify.viewerOf(request.headers, url),
    )
    const { longestMs } = limits
    return streams.watch(inner, {
      caller: { userId, checkCredential },
      keepAlive,
      onClosed: release,
      ...(longestMs === undefined ? {} : { longestMs }),
    })
  }
}

/**
 * The documents are Berth's own, so an error about a variable concerns a value that the client
 * sent. The error has the value but not its path.
 */
function invalidVariable({ message }: GraphQLError, variables: object): Fault {
  const [, value] = /got invalid value (.{1,80}?);/.exec(message) ?? []
  if (value === undefined)
    return new Fault('invalid_input', messageOf('request.value_impossible_unknown'))
  const path = pathTo(value, variables)
  // The objects of the variables have no name in REST.
  const field = path?.replace(/^(input|filter|orderBy)\./, '')
  return field === undefined
    ? new Fault('invalid_input', messageOf('request.value_impossible', { value }))
    : invalid(field, messageOf('field.impossible', { value }))
}

/** Returns the path of the first field with this value, as the executor prints it. */
function pathTo(value: string, container: object): string | null {
  for (const [name, child] of Object.entries<unknown>({ ...container })) {
    const at = Array.isArray(container) ? `[${name}]` : name
    if (typeof child !== 'object' || child === null) {
      if (JSON.stringify(child) === value) return at
      continue
    }
    const inside = pathTo(value, child)
    if (inside !== null) return inside.startsWith('[') ? at + inside : `${at}.${inside}`
  }
  return null
}

/** Serves the API description as JSON and as a page. */
export function openApiHandler(document: OpenApi): Handler {
  const replies = new Map([
    [
      '/api/v1/openapi.json',
      jsonReply(200, withComponents(document), { 'cache-control': 'no-cache' }),
    ],
    ['/api/v1/docs', { status: 200, headers: docsHeaders, body: docsPage(document) }],
  ])
  return ({ url, method }) => {
    const reply = replies.get(url.pathname) ?? null
    const isRead = method === 'GET' || method === 'HEAD'
    return reply === null || isRead ? reply : optionsReply(method, allowedMethods(['GET']))
  }
}

/**
 * The script and the style of the page are files of the console. Nothing is inline, and nothing
 * comes from or goes to another origin.
 */
const docsHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}
