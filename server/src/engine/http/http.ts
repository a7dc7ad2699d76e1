import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { newId } from '../../runtime/ids.ts'
import { type Log } from '../../runtime/log.ts'
import { type Encoding, compress, compressOnce, encodingFor } from './compress.ts'
import { crossOrigin } from './cors.ts'
import { faultFrom, statusOf } from './faults.ts'
import { type Reply, type TextStream, problemReply } from './reply.ts'
import { MethodRefused } from './method-refused.ts'
import { Fault } from '../model/fault.ts'
import { messageOf } from '../model/message.ts'

/** The context of a request, which handlers receive. */
export interface RequestContext {
  request: IncomingMessage
  url: URL
  method: string
  requestId: string
  /** The network address of the caller, as far as the proxies can be trusted. */
  address: string
  /** Headers that are added to any response. */
  headers: Record<string, string>
}

/** Answers a request, or returns null when the path is not its own. */
export type Handler = (context: RequestContext) => Promise<Reply | null> | Reply | null

export interface HttpOptions {
  handlers: readonly Handler[]
  log: Log
  /**
   * The exact origins whose pages may call the REST interface, for a request that was sent to
   * `host`.
   */
  allowedOrigins: (host: string) => readonly string[]
  /** The number of trusted proxies in front of the server. Each appends the address of its peer. */
  trustProxy: number
  /** True when browsers connect over https. */
  secure: boolean
  /**
   * Aborted when the process shuts down: connections are asked to close, and endless streams end.
   */
  stopping: AbortSignal
  observe: (response: { method: string; status: number; durationMs: number }) => void
  elapsedMs: () => number
}

const safetyHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  // The console's page sets its own, wider policy.
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Returns the listener for all requests. It assigns a request id, asks the handlers in order, and
 * turns any error into a refusal.
 */
export function createRequestListener(options: HttpOptions): RequestListener {
  const defaultHeaders = options.secure
    ? { ...safetyHeaders, 'strict-transport-security': 'max-age=31536000' }
    : safetyHeaders
  return (request, response) => {
    const started = options.elapsedMs()
    const context = requestContextOf(request, options.trustProxy)
    void replyTo(context, options)
      .then((reply) =>
        send(response, {
          reply,
          context,
          stopping: options.stopping,
          defaultHeaders,
        }),
      )
      .catch((error: unknown) => {
        options.log.error('http.response_failed', {
          ...fieldsOf(context),
          error,
          effect: 'the client may have received an incomplete response',
          remedy:
            'none, unless it repeats: read the error; if it names neither the cluster nor PostgreSQL, report it to the developers of Berth',
        })
        response.destroy()
      })
      .finally(() =>
        recordResponse(options, context, {
          status: response.statusCode,
          durationMs: options.elapsedMs() - started,
        }),
      )
  }
}

function recordResponse(
  { observe, log }: HttpOptions,
  context: RequestContext,
  { status, durationMs }: { status: number; durationMs: number },
): void {
  observe({ method: context.method, status, durationMs })
  log.debug('http.request_ended', { ...fieldsOf(context), status, durationMs })
}

type NamedRequest = Pick<RequestContext, 'requestId' | 'method' | 'url'>

/** The fields that name a request in the log. */
const fieldsOf = ({ requestId, method, url }: NamedRequest) => ({
  requestId,
  method,
  path: url.pathname,
})

export function requestContextOf(request: IncomingMessage, trustProxy: number): RequestContext {
  const headerId = request.headers['x-request-id']
  const requestId =
    typeof headerId === 'string' && /^[\w.:-]{1,128}$/.test(headerId) ? headerId : newId()
  return {
    request,
    url: urlOf(request.url ?? '/'),
    method: request.method ?? 'GET',
    requestId,
    address: addressOf(request, trustProxy),
    headers: {},
  }
}

/**
 * Returns the address that a trusted proxy appended. The caller may have forged all earlier
 * entries.
 */
export function addressOf({ headers, socket }: IncomingMessage, trustProxy: number): string {
  const addresses =
    trustProxy > 0
      ? String(headers['x-forwarded-for'] ?? '')
          .split(',')
          .map((part) => part.trim())
      : []
  return addresses.at(-trustProxy) || (socket.remoteAddress ?? '')
}

function urlOf(target: string): URL {
  // The target supplies only path and query. An absolute or malformed one cannot name another host.
  return (
    URL.parse(
      target.startsWith('/') ? `http://berth${target.replace(/^\/+/, '/')}` : '/',
      'http://berth',
    ) ?? new URL('http://berth/')
  )
}

async function replyTo(context: RequestContext, options: HttpOptions): Promise<Reply> {
  const { log } = options
  try {
    return await answerTo(context, options)
  } catch (error) {
    if (error instanceof MethodRefused) {
      return problemReply(new Fault('method_not_allowed', error.userMessage), context, {
        allow: error.allowed.join(', '),
      })
    }
    const fault = faultFrom(error)
    logRequestFailure(log, context, fault)
    return problemReply(
      fault,
      context,
      fault.code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {},
    )
  }
}

/**
 * Logs why a request failed, under the request id that its client sees. Refusals of the client's
 * own mistakes are not logged.
 */
export function logRequestFailure(log: Log, request: NamedRequest, fault: Fault): void {
  if (statusOf[fault.code] < 500) return
  log.error('http.request_failed', {
    ...fieldsOf(request),
    code: fault.code,
    error: fault.cause ?? fault,
    effect: 'the client received this code',
    remedy:
      'check PostgreSQL and the cluster; with the code internal, report the error to the developers of Berth',
  })
}

async function answerTo(
  context: RequestContext,
  { handlers, allowedOrigins }: HttpOptions,
): Promise<Reply> {
  if (!methods.has(context.method)) throw new MethodRefused(context.method, [...methods])
  const preflight = crossOrigin(context, allowedOrigins)
  if (preflight) return preflight
  for (const handler of handlers) {
    // Most handlers return null synchronously for a foreign path. Only a promise is worth a turn of
    // the event loop.
    const reply = handler(context)
    const answer = reply instanceof Promise ? await reply : reply
    if (answer) return answer
  }
  const { method, url } = context
  throw new Fault('not_found', messageOf('request.nothing_here', { method, path: url.pathname }))
}

interface ReplyToSend {
  reply: Reply
  context: RequestContext
  stopping: AbortSignal
  defaultHeaders: OutgoingHttpHeaders
}

/** Sends a reply. Only compression is awaited; most responses are written in the same turn. */
function send(response: ServerResponse, sending: ReplyToSend): Promise<void> | void {
  const { reply, context } = sending
  const encoding = encodingOf(reply, context)
  if (!encoding) return write(response, sending, { body: reply.body, encoded: {} })
  return compressed(reply, encoding).then((body) =>
    write(response, sending, {
      body,
      encoded: { 'content-encoding': encoding, vary: 'accept-encoding' },
    }),
  )
}

function write(
  response: ServerResponse,
  { reply, context, stopping, defaultHeaders }: ReplyToSend,
  { body, encoded }: { body: Reply['body']; encoded: OutgoingHttpHeaders },
): Promise<void> | void {
  const contextHeaders = {
    ...context.headers,
    ...varyHeader(context, encoded),
    'x-request-id': context.requestId,
  }
  const headers: OutgoingHttpHeaders = {
    ...defaultHeaders,
    ...reply.headers,
    ...encoded,
    ...contextHeaders,
  }
  if (stopping.aborted) headers.connection = 'close'
  if (reply.stream)
    return pipeStream(
      response.writeHead(reply.status, headers),
      { ...reply, stream: reply.stream },
      stopping,
    )
  const length = Buffer.byteLength(body)
  if (reply.status !== 204 && reply.status !== 304) headers['content-length'] = length
  response.writeHead(reply.status, headers)
  // ASCII text has the same bytes in both encodings, and Node.js writes latin1 ten times as fast.
  response.end(
    context.method === 'HEAD' ? undefined : body,
    length === body.length ? 'latin1' : 'utf8',
  )
}

/** Merges `vary`, because both the encoding and the allowed origin can differ between callers. */
const varyHeader = (
  { headers }: RequestContext,
  { vary }: OutgoingHttpHeaders,
): OutgoingHttpHeaders =>
  vary && headers['vary'] ? { vary: `${String(vary)}, ${headers['vary']}` } : {}

/**
 * Streams a text no faster than the client reads it. The stream ends when the client disconnects or
 * the process shuts down.
 */
async function pipeStream(
  response: ServerResponse,
  { body, stream }: Reply & { stream: TextStream },
  stopping: AbortSignal,
): Promise<void> {
  const end = (): void => stream.close()
  response.once('close', end)
  stopping.addEventListener('abort', end)
  try {
    if (stopping.aborted) end()
    response.write(body)
    for (
      let text = await stream.next();
      text !== null && !response.destroyed;
      text = await stream.next()
    )
      if (!response.write(text)) await drained(response)
  } finally {
    stopping.removeEventListener('abort', end)
    end()
    response.end()
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close'] as const
    const end = (): void => {
      for (const event of events) response.off(event, end)
      resolve()
    }
    for (const event of events) response.on(event, end)
  })
}

/**
 * Returns the encoding of a compressible reply. Uncompressed text stays a string, because Node.js
 * writes it as cheaply as it copies it.
 */
const encodingOf = (
  { headers, body, stream }: Reply,
  { request }: RequestContext,
): Encoding | null =>
  stream || headers['content-encoding']
    ? null
    : encodingFor(request.headers['accept-encoding'], body.length)

const compressed = ({ body }: Reply, encoding: Encoding): Promise<Buffer> =>
  typeof body === 'string' ? compress(encoding, Buffer.from(body)) : compressOnce(encoding, body)
