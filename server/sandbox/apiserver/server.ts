import { type IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { type AddressInfo, type Socket } from 'node:net'
import { type Duplex } from 'node:stream'
import { type ServingCertificates } from '../trust/certificates.ts'
import { type UploadTokens } from '../trust/upload-tokens.ts'
import {
  type Answer,
  type Call,
  type Handler,
  modernWatch,
  targetOf,
  watchedPath,
} from './request.ts'
import { type Json } from '../objects/types.ts'
import { type Store } from './storage/store.ts'
import { ApiError, refuse } from '../objects/status.ts'
import { admitRequest } from './authentication/admit-request.ts'
import { issuerDiscovery } from './authentication/issuer-discovery.ts'
import { type Tokens } from './authentication/tokens.ts'
import { createObject } from './create.ts'
import { deleteCollection, deleteObject } from './delete.ts'
import { discover } from './discovery.ts'
import { OpenApi } from './openapi/answer.ts'
import { listObjects, readObject } from './read.ts'
import { patchObject } from './patches/patch.ts'
import { replaceObject } from './update.ts'
import { watchObjects } from './watch.ts'
import { answerReview } from './authorization/reviews.ts'
import { isReview } from './authorization/rows.ts'
import { type ContainerLogs } from './container-logs.ts'
import { withStoredSelector } from '../kinds/alias-names.ts'
import { withAliasWarning, toStoredVersion } from './aliases.ts'
import { isRawHandler, subresourceHandler } from './subresources/handlers.ts'
import { unstoredHandler } from './subresources/unstored.ts'
import { plainJson, negotiate } from './requests/media-types.ts'
import { yamlText } from '../yaml/write.ts'

export interface ApiServerOptions {
  store: Store
  certificates: ServingCertificates
  token: string
  tokens: Tokens
  logs: ContainerLogs
  uploads: UploadTokens
  port: number
  /** Runs before every request. */
  intercept(
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => Promise<void>,
  ): Promise<void>
  /** The aggregated API server, which serves one group of its own. */
  aggregated: {
    owns(path: string): boolean
    answer(request: AggregatedRequest): Answer
    /** Returns an error response, or the handler that takes over the upgraded connection. */
    open(request: UpgradeRequest): Answer | StreamHandler
  }
}

export interface AggregatedRequest {
  method: string
  path: string
  accept: string
  body: Buffer
}

export interface UpgradeRequest extends AggregatedRequest {
  query: URLSearchParams
  request: IncomingMessage
}

/** Takes over the connection. */
export type StreamHandler = (stream: Duplex) => void

export interface ApiServer {
  url: string
  close(): Promise<void>
}

interface ServerContext extends ApiServerOptions {
  openApi: OpenApi
}

/** Starts the HTTPS server of the sandbox: the Kubernetes API, and the streams to guests. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const context = { ...options, openApi: new OpenApi(options.store.registry) }
  const { cert, key } = options.certificates
  const server = createServer({ cert, key, keepAliveTimeout: 90_000 }, (request, response) => {
    void options.intercept(request, response, () => serve(context, request, response))
  })
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    upgraded.add(stream)
    stream.once('close', () => upgraded.delete(stream))
    if (head.length > 0) stream.unshift(head)
    const response = responseOn(request, stream)
    void options.intercept(request, response, () => serve(context, request, response))
  })
  await new Promise<void>((done, failed) =>
    server.once('error', failed).listen(options.port, '127.0.0.1', done),
  )
  // The cast holds because a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return { url: `https://127.0.0.1:${port}`, close: () => closeServer(server, upgraded) }
}

/** Creates a response for a refused upgrade. The connection closes after it. */
function responseOn(request: IncomingMessage, stream: Duplex): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  // The cast holds because every connection of an HTTPS server is a TLS socket.
  response.assignSocket(stream as Socket)
  response.once('finish', () => stream.end(() => stream.destroy()))
  stream.on('error', () => stream.destroy())
  return response
}

async function closeServer(server: Server, upgraded: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()))
  for (const stream of upgraded) stream.destroy()
  server.closeAllConnections()
  await closed
}

async function serve(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer = await answerTo(context, request, response)
    // A confirmed write must survive a power failure, so it is flushed before the response.
    if (request.method !== 'GET') await context.store.durable()
    if (answer) send(response, inSyntax(request, answer))
  } catch (error) {
    const refusal =
      error instanceof ApiError
        ? error
        : refuse.internal(`Internal error occurred: ${String(error)}`)
    if (response.headersSent) response.destroy()
    else send(response, inSyntax(request, answerOf(refusal)))
  }
}

async function answerTo(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | null> {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s)
  const user = admitRequest(context, request)
  if (['/healthz', '/livez', '/readyz'].includes(path)) return text(200, 'ok')
  const watched = watchedPath(path)
  const target = targetOf(context.store.registry, watched ?? path)
  if (context.aggregated.owns(path))
    return isUpgrade(request)
      ? openAggregated(context, request, response)
      : answerAggregated(context, request, path)
  const query = new URLSearchParams(search)
  if (!target) return answerUnstored(context, request, query)
  const { store, logs, tokens, uploads } = context
  const who = { store, logs, tokens, uploads, user }
  return answerTarget({
    ...(watched === null ? target : modernWatch(target, query)),
    ...who,
    mediaType: plainJson,
    query,
    request,
    response,
    body: Buffer.alloc(0),
  })
}

function openAggregated(
  { aggregated }: ApiServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Answer | null {
  const { method = '', headers, url = '', socket } = request
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  const aggregatedRequest = {
    method,
    path,
    accept: headers.accept ?? '',
    body: Buffer.alloc(0),
    query: new URLSearchParams(search),
    request,
  }
  const opening = aggregated.open(aggregatedRequest)
  if (typeof opening !== 'function') return opening
  response.removeAllListeners('finish')
  response.detachSocket(socket)
  opening(socket)
  return null
}

async function answerAggregated(
  { aggregated }: ApiServerOptions,
  request: IncomingMessage,
  path: string,
): Promise<Answer> {
  const { method = '', headers } = request
  return aggregated.answer({
    method,
    path,
    accept: headers.accept ?? '',
    body: await bodyOf(request),
  })
}

function answerUnstored(
  { store, tokens, openApi }: ServerContext,
  { method, headers, url = '' }: IncomingMessage,
  query: URLSearchParams,
): Answer {
  if (method !== 'GET') return text(404, '404 page not found\n')
  const [path = ''] = url.split('?')
  const { accept = '', host = '' } = headers
  const found =
    discover(store.registry, path, headers) ??
    issuerDiscovery(path, tokens, host) ??
    openApi.answer(path, query, accept)
  return found ?? text(404, '404 page not found\n')
}

async function answerTarget(call: Call): Promise<Answer | null> {
  const handler = handlerOf(call)
  if (!handler) throw refuse.methodNotAllowed()
  // Raw handlers ignore the Accept header: logs and proxied responses have their own content type.
  if (isRawHandler(handler)) return handler(call)
  const body = call.request.method === 'GET' ? call.body : await bodyOf(call.request)
  return withAliasWarning(
    call,
    handler({
      ...call,
      query: withStoredSelector(call.alias, call.query),
      body: toStoredVersion(call, body),
      mediaType: negotiate(call.request.headers.accept, { isWatch: handler === watch }),
    }),
  )
}

function handlerOf(call: Call): Handler | null {
  const { name, resource, subresource } = call
  const method = call.request.method ?? ''
  if (isReview(resource)) return method === 'POST' && name === undefined ? answerReview : null
  if (resource.verbs) return unstoredHandler(call)
  if (name === undefined) return collectionHandlers(call)[method] ?? null
  return subresource === undefined
    ? (objectHandlers[method] ?? null)
    : subresourceHandler(call, subresource)
}

const objectHandlers: Record<string, Handler> = {
  GET: readObject,
  PUT: replaceObject,
  PATCH: patchObject,
  DELETE: deleteObject,
}

function collectionHandlers({ resource, namespace, query }: Call): Record<string, Handler> {
  const watching = ['1', 'true'].includes(query.get('watch') ?? '')
  const GET: Handler = watching ? watch : listObjects
  const everywhere = resource.namespaced && namespace === undefined
  if (everywhere) return { GET }
  return resource.plural === 'namespaces'
    ? { GET, POST: createObject }
    : { GET, POST: createObject, DELETE: deleteCollection }
}

const watch: Handler = (call) => {
  watchObjects(call)
  return null
}

const isUpgrade = ({ headers }: IncomingMessage): boolean =>
  /\bupgrade\b/i.test(headers.connection ?? '') && headers.upgrade !== undefined

const bodyLimitBytes = 3 * 1024 * 1024

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  // The cast holds because a request without an encoding yields only buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Draining the body lets the client read the refusal instead of a connection reset.
    if (bytes <= bodyLimitBytes) chunks.push(chunk)
  }
  if (bytes > bodyLimitBytes) throw refuse.tooLarge(bodyLimitBytes)
  return Buffer.concat(chunks)
}

const text = (status: number, body: string): Answer => ({
  status,
  body,
  contentType: 'text/plain; charset=utf-8',
})

const answerOf = (refusal: ApiError): Answer => ({
  status: refusal.status,
  body: refusal.body(),
  headers: headersOf(refusal),
  warnings: refusal.warnings,
})

const headersOf = (refusal: ApiError): Record<string, string> =>
  typeof refusal.details?.retryAfterSeconds === 'number'
    ? { 'retry-after': String(refusal.details.retryAfterSeconds) }
    : {}

/**
 * Converts the response to YAML when the client prefers it. A response with its own content type
 * stays unchanged.
 */
function inSyntax({ headers, method }: IncomingMessage, answer: Answer): Answer {
  const { body, contentType } = answer
  if (
    contentType !== undefined ||
    Buffer.isBuffer(body) ||
    method === 'HEAD' ||
    !prefersYaml(headers.accept)
  )
    return answer
  // A text body without a content type is JSON.
  const value = typeof body === 'string' ? (JSON.parse(body) as Json) : body
  return { ...answer, contentType: 'application/yaml', body: yamlText(value) }
}

function prefersYaml(accept: string | undefined): boolean {
  try {
    return negotiate(accept, { isWatch: false }).syntax === 'yaml'
  } catch {
    return false
  }
}

function send(
  response: ServerResponse,
  { status, body, contentType, warnings, headers }: Answer,
): void {
  if (warnings && warnings.length > 0) response.setHeader('warning', [...warnings])
  const content = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  response.writeHead(status, {
    ...(contentType === null ? {} : { 'content-type': contentType ?? 'application/json' }),
    'content-length': content.length,
    'cache-control': 'no-cache, private',
    ...headers,
  })
  response.end(content)
}
