import { request as plainRequest, type IncomingMessage } from 'node:http'
import { Agent, type RequestOptions, request as secureRequest } from 'node:https'
import { createSecureContext } from 'node:tls'
import { WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { ClusterError, type Trouble } from './cluster-error.ts'
import { type ApiCall, callName, pathOf } from './api-call.ts'
import { problemIn, retryAfterMs } from './answers.ts'
import { type Endpoint, type EndpointSource } from './endpoint.ts'
import { type TokenBucket } from './token-bucket.ts'
import { upgrade } from './streams/upgrade.ts'

/** One JSON response of the API server. The caller knows its shape. */
export interface ApiAnswer {
  status: number
  body: unknown
}

export interface Transport {
  /**
   * Resolves with a successful response; all failures are ClusterErrors. Retries are the caller's
   * task, except one retry with a rotated token.
   */
  call(call: ApiCall, signal?: AbortSignal): Promise<ApiAnswer>
  /**
   * Opens a stream, which the caller reads and ends through the signal. With null there is no time
   * limit for the response headers.
   */
  open(
    call: ApiCall,
    signal: AbortSignal,
    headersWithinMs?: number | null,
  ): Promise<IncomingMessage>
  /** Opens a WebSocket. The socket is paused until the caller reads it. */
  upgrade(call: ApiCall): Promise<WebSocket>
  close(): void
}

export interface TransportParts {
  source: EndpointSource
  bucket: TokenBucket
  clock: Clock
  timeoutMs?: number
  /** Called before each call; throws for a call that must not be sent. */
  requireDeclared?: (call: ApiCall) => void
  /** Called for each call that is sent. */
  onCall?: CallListener | undefined
  /** Called for each call that the cluster does not permit. */
  onForbidden?: (refusal: ClusterError) => void
  /** Called for each write that the cluster will never accept. */
  onRefusedWrite?: (refusal: ClusterError) => void
}

const refusals: readonly Trouble[] = ['refused', 'not_permitted', 'quota_exceeded']

export type CallListener = (call: { method: string; kind: string }) => void

export function createTransport(parts: TransportParts): Transport {
  const agents = new Map<string, Agent>()
  const connection: Connection = { ...parts, agents, timeoutMs: parts.timeoutMs ?? 30_000 }
  return {
    call: (call, signal) => withFreshToken(connection, () => callOnce(connection, call, signal)),
    open: (call, signal, headersWithinMs = 10_000) =>
      withFreshToken(connection, () => openOnce(connection, { call, headersWithinMs }, signal)),
    upgrade: (call) => withFreshToken(connection, () => upgradeOnce(connection, call)),
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

interface Connection extends TransportParts {
  agents: Map<string, Agent>
  timeoutMs: number
}

async function withFreshToken<T>(connection: Connection, attempt: () => Promise<T>): Promise<T> {
  try {
    return await reactingTo(connection, attempt)
  } catch (error) {
    if (!(error instanceof ClusterError) || error.trouble !== 'unauthenticated') throw error
    return reactingTo(connection, attempt)
  }
}

/**
 * Runs one attempt and applies its failure to later calls: renews the endpoint, pauses the bucket,
 * or reports the missing right.
 */
async function reactingTo<T>(
  { source, bucket, onForbidden }: Connection,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    const { trouble, retryAfterMs } = error
    if (trouble === 'not_permitted') onForbidden?.(error)
    if (trouble === 'unreachable' || trouble === 'unauthenticated') source.renew()
    if (trouble === 'throttled' || retryAfterMs !== undefined)
      bucket.pause((retryAfterMs ?? 1000) * (1 + Math.random() / 4))
    throw error
  }
}

async function callOnce(
  connection: Connection,
  call: ApiCall,
  signal?: AbortSignal,
): Promise<ApiAnswer> {
  await awaitTurn(connection, call, signal)
  const limits = AbortSignal.any([
    AbortSignal.timeout(connection.timeoutMs),
    ...(signal ? [signal] : []),
  ])
  const response = await send(connection, { call, isStream: false }, limits)
  const text = await textOf(response, call)
  const status = response.statusCode ?? 0
  const body = parsed(text)
  if (status >= 200 && status < 300) return { status, body }
  const problem = problemIn({
    call,
    status,
    body,
    text,
    retryAfterMs: retryAfterMs(response.headers['retry-after']),
  })
  if (call.method !== 'GET' && refusals.includes(problem.trouble))
    connection.onRefusedWrite?.(problem)
  throw problem
}

interface OpenRequest {
  call: ApiCall
  headersWithinMs: number | null
}

async function openOnce(
  connection: Connection,
  request: OpenRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { call } = request
  await awaitTurn(connection, call, signal)
  const response = await headersWithin(connection, request, signal)
  if (response.statusCode === 200) return response
  const text = await textOf(response, call)
  throw problemIn({
    call,
    status: response.statusCode ?? 0,
    body: parsed(text),
    text,
    retryAfterMs: retryAfterMs(response.headers['retry-after']),
  })
}

async function upgradeOnce(connection: Connection, call: ApiCall): Promise<WebSocket> {
  await awaitTurn(connection, call)
  const endpoint = await endpointFor(connection, call)
  const answer = await upgrade({ endpoint, call, timeoutMs: connection.timeoutMs }).catch(
    (error: unknown) => {
      throw error instanceof Error && isUnsent(error) ? unsent(call, error) : lost(call, error)
    },
  )
  if (answer instanceof WebSocket) return answer
  const text = await textOf(answer, call)
  const problem = problemIn({
    call,
    status: answer.statusCode ?? 0,
    body: parsed(text),
    text,
    retryAfterMs: undefined,
  })
  // KubeVirt serves these paths, and its 404 means an absent VM even in plain text.
  if (problem.trouble !== 'not_served') throw problem
  throw new ClusterError(problem.message, {
    trouble: 'gone',
    call: callName(call),
    status: problem.status,
  })
}

async function endpointFor({ source }: Connection, call: ApiCall): Promise<Endpoint> {
  return source.current().catch((error: unknown) => {
    throw unsent(call, error)
  })
}

/**
 * Waits for the token bucket. The wait does not count toward the timeout, because nothing has been
 * sent yet.
 */
async function awaitTurn(
  { bucket, onCall, requireDeclared }: Connection,
  call: ApiCall,
  signal?: AbortSignal,
): Promise<void> {
  requireDeclared?.(call)
  await bucket.take(signal)
  if (signal?.aborted) throw unsent(call, signal.reason)
  onCall?.({ method: call.method, kind: call.of.plural })
}

/**
 * Sends a call and limits only the wait for the headers. A stream may last for hours, and null is
 * for streams whose headers wait for the first data.
 */
async function headersWithin(
  connection: Connection,
  { call, headersWithinMs }: OpenRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (headersWithinMs === null) return send(connection, { call, isStream: true }, signal)
  const timedOut = new AbortController()
  const answered = new AbortController()
  const timer = connection.clock
    .sleep(
      Math.min(headersWithinMs, connection.timeoutMs),
      AbortSignal.any([answered.signal, signal]),
    )
    .then(() => {
      if (!answered.signal.aborted) timedOut.abort()
    })
  try {
    return await send(
      connection,
      { call, isStream: true },
      AbortSignal.any([signal, timedOut.signal]),
    )
  } finally {
    answered.abort()
    await timer
  }
}

async function send(
  connection: Connection,
  { call, isStream }: { call: ApiCall; isStream: boolean },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const path = pathOf(call)
  const endpoint = await endpointFor(connection, call)
  const content = call.body === undefined ? undefined : JSON.stringify(call.body)
  return new Promise((done, failed) => {
    const request = begin(connection, endpoint, {
      isStream,
      path,
      call,
      signal,
      length: content === undefined ? 0 : Buffer.byteLength(content),
    })
    request.once('response', done)
    request.once('error', (error) =>
      failed(isUnsent(error) ? unsent(call, error) : lost(call, error)),
    )
    request.end(content)
  })
}

interface RequestToSend {
  isStream: boolean
  path: string
  call: ApiCall
  signal: AbortSignal
  length: number
}

function begin(
  connection: Connection,
  endpoint: Endpoint,
  { isStream, path, call, signal, length }: RequestToSend,
): ReturnType<typeof secureRequest> {
  const { protocol, hostname, port, pathname } = new URL(endpoint.url)
  const options: RequestOptions = {
    method: call.method,
    hostname,
    port,
    // The paths are joined as text, because a URL object would normalize them.
    path: `${pathname.replace(/\/$/, '')}${path}`,
    signal,
    headers: {
      accept: acceptOf(call),
      'user-agent': 'berth',
      ...endpoint.headers,
      ...(length > 0
        ? { 'content-type': call.contentType ?? 'application/json', 'content-length': length }
        : {}),
    },
  }
  if (protocol === 'http:') return plainRequest(options)
  return secureRequest({ ...options, agent: agentFor(connection, endpoint, isStream) })
}

/**
 * Returns the `Accept` header. KubeVirt's actions respond with other types and refuse a client that
 * accepts only JSON.
 */
function acceptOf({ only, query }: ApiCall): string {
  if (only !== 'metadata') return 'application/json, */*'
  return `application/json;as=PartialObjectMetadata${query?.watch === undefined ? 'List' : ''};g=meta.k8s.io;v=v1,application/json`
}

/**
 * Returns the connection pool of an endpoint and its certificates; a restarted sandbox keeps its
 * pool. Streams have their own pool without a limit: each keeps its connection for hours, and many
 * streams would leave none for calls.
 */
function agentFor({ agents }: Connection, endpoint: Endpoint, isStream: boolean): Agent {
  const { url, ca, cert, key, acceptAnyCertificate } = endpoint
  const identity = [String(isStream), url, ca, cert, key]
    .map((part) => part?.toString() ?? '')
    .join('\n')
  const known = agents.get(identity)
  if (known) return known
  const agent = new Agent({
    keepAlive: true,
    maxSockets: isStream ? Infinity : 64,
    // All connections share it. Otherwise each of them would parse the certificates again.
    secureContext: createSecureContext({ ca, cert, key }),
    rejectUnauthorized: acceptAnyCertificate !== true,
  })
  agents.set(identity, agent)
  return agent
}

async function textOf(response: IncomingMessage, call: ApiCall): Promise<string> {
  try {
    const chunks: Buffer[] = []
    // A response without an encoding yields only buffers.
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    throw lost(call, error)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Some responses are plain text: throttling, unknown paths, a proxy.
    return null
  }
}

const neverSent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

function isUnsent(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && neverSent.test(error.code)
}

const unsent = (call: ApiCall, cause: unknown): ClusterError =>
  new ClusterError('the cluster cannot be reached', {
    trouble: 'unreachable',
    call: callName(call),
    status: null,
    cause,
  })

/**
 * Returns the error of a call whose response was lost. A read had no effect; a write may have been
 * applied.
 */
const lost = (call: ApiCall, cause: unknown): ClusterError =>
  new ClusterError('the connection ended before the answer', {
    trouble: call.method === 'GET' ? 'unreachable' : 'maybe_applied',
    call: callName(call),
    status: null,
    cause,
  })
