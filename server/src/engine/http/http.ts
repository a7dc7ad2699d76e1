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

/** What a door gets to see of a request. */
export interface Visit {
  request: IncomingMessage
  url: URL
  method: string
  requestId: string
  /** The caller's network address, as far as it can be trusted. */
  address: string
  /** Said with the answer, whatever that is. */
  headers: Record<string, string>
}

/** A part of the site: answers, or says that the path is not its own. */
export type Door = (visit: Visit) => Promise<Reply | null> | Reply | null

export interface HttpOptions {
  doors: readonly Door[]
  log: Log
  /**
   * The exact origins whose pages may ask the REST interface, for a request that was sent to
   * `host`.
   */
  allowedOrigins: (host: string) => readonly string[]
  /** How many proxies of ours stand in front and append the address they saw. */
  trustProxy: number
  /** Browsers come over https. */
  secure: boolean
  /**
   * Aborted once the process is leaving: connections are asked to close, and what is told for ever
   * ends.
   */
  stopping: AbortSignal
  observe: (seen: { method: string; status: number; durationMs: number }) => void
  elapsedMs: () => number
}

const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  // The console's page brings its own, wider policy.
  'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * One listener for everything: names the request, asks the doors in order, turns whatever is thrown
 * into a refusal.
 */
export function listenerOn(options: HttpOptions): RequestListener {
  const safety = options.secure
    ? { ...always, 'strict-transport-security': 'max-age=31536000' }
    : always
  return (request, response) => {
    const started = options.elapsedMs()
    const visit = visitOf(request, options.trustProxy)
    void replyTo(visit, options)
      .then((reply) => send(response, { reply, visit, stopping: options.stopping, safety }))
      .catch((error: unknown) => {
        options.log.error('an answer could not be sent', { error, requestId: visit.requestId })
        response.destroy()
      })
      .finally(() =>
        account(options, visit, {
          status: response.statusCode,
          durationMs: options.elapsedMs() - started,
        }),
      )
  }
}

function account(
  { observe, log }: HttpOptions,
  { method, url, requestId }: Visit,
  { status, durationMs }: { status: number; durationMs: number },
): void {
  observe({ method, status, durationMs })
  log.debug('answered', { requestId, method, path: url.pathname, status, durationMs })
}

export function visitOf(request: IncomingMessage, trustProxy: number): Visit {
  const named = request.headers['x-request-id']
  const requestId = typeof named === 'string' && /^[\w.:-]{1,128}$/.test(named) ? named : newId()
  return {
    request,
    url: urlOf(request.url ?? '/'),
    method: request.method ?? 'GET',
    requestId,
    address: addressOf(request, trustProxy),
    headers: {},
  }
}

/** What a proxy of ours wrote; anything before that the caller may have made up. */
function addressOf({ headers, socket }: IncomingMessage, trustProxy: number): string {
  const seen =
    trustProxy > 0
      ? String(headers['x-forwarded-for'] ?? '')
          .split(',')
          .map((part) => part.trim())
      : []
  return seen.at(-trustProxy) || (socket.remoteAddress ?? '')
}

function urlOf(target: string): URL {
  // Only the path and the query of the target count; an absolute or malformed one cannot name
  // another host.
  return (
    URL.parse(
      target.startsWith('/') ? `http://berth${target.replace(/^\/+/, '/')}` : '/',
      'http://berth',
    ) ?? new URL('http://berth/')
  )
}

async function replyTo(visit: Visit, options: HttpOptions): Promise<Reply> {
  const { log } = options
  try {
    return await answerTo(visit, options)
  } catch (error) {
    if (error instanceof MethodRefused) {
      return problemReply(new Fault('method_not_allowed', error.said), visit, {
        allow: error.allow.join(', '),
      })
    }
    const fault = faultFrom(error)
    if (statusOf[fault.code] >= 500)
      log.error('a request failed', {
        requestId: visit.requestId,
        path: visit.url.pathname,
        error: fault.cause ?? fault,
      })
    return problemReply(
      fault,
      visit,
      fault.code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {},
    )
  }
}

async function answerTo(visit: Visit, { doors, allowedOrigins }: HttpOptions): Promise<Reply> {
  if (!methods.has(visit.method)) throw new MethodRefused(visit.method, [...methods])
  const preflight = crossOrigin(visit, allowedOrigins)
  if (preflight) return preflight
  for (const door of doors) {
    // Most doors answer at once that a path is not theirs; only a promise is worth a turn of the
    // loop.
    const reply = door(visit)
    const answer = reply instanceof Promise ? await reply : reply
    if (answer) return answer
  }
  throw new Fault('not_found', messageOf('request.nothing_here', { path: visit.url.pathname }))
}

interface Sending {
  reply: Reply
  visit: Visit
  stopping: AbortSignal
  safety: OutgoingHttpHeaders
}

/** Only a packing is waited for: most answers are written in the same turn. */
function send(response: ServerResponse, sending: Sending): Promise<void> | void {
  const { reply, visit } = sending
  const encoding = encodingOf(reply, visit)
  if (!encoding) return write(response, sending, { body: reply.body, encoded: {} })
  return packed(reply, encoding).then((body) =>
    write(response, sending, {
      body,
      encoded: { 'content-encoding': encoding, vary: 'accept-encoding' },
    }),
  )
}

function write(
  response: ServerResponse,
  { reply, visit, stopping, safety }: Sending,
  { body, encoded }: { body: Reply['body']; encoded: OutgoingHttpHeaders },
): Promise<void> | void {
  const said = { ...visit.headers, ...varying(visit, encoded), 'x-request-id': visit.requestId }
  const headers: OutgoingHttpHeaders = { ...safety, ...reply.headers, ...encoded, ...said }
  if (stopping.aborted) headers.connection = 'close'
  if (reply.stream)
    return pour(
      response.writeHead(reply.status, headers),
      { ...reply, stream: reply.stream },
      stopping,
    )
  const length = Buffer.byteLength(body)
  if (reply.status !== 204) headers['content-length'] = length
  response.writeHead(reply.status, headers)
  // Nothing but ASCII is the same bytes in both, and latin1 is written in a tenth of the time.
  response.end(
    visit.method === 'HEAD' ? undefined : body,
    length === body.length ? 'latin1' : 'utf8',
  )
}

/** Both what it is packed in and whose page may read it can differ from one caller to the next. */
const varying = ({ headers }: Visit, { vary }: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  vary && headers['vary'] ? { vary: `${String(vary)}, ${headers['vary']}` } : {}

/** No faster than it is taken; it ends with the listener, or with us. */
async function pour(
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
      if (!response.write(text)) await taken(response)
  } finally {
    stopping.removeEventListener('abort', end)
    end()
    response.end()
  }
}

function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
}

/** A text stays a text unless it is compressed: node writes it as cheaply as a copy of it. */
const encodingOf = ({ headers, body, stream }: Reply, { request }: Visit): Encoding | null =>
  stream || headers['content-encoding']
    ? null
    : encodingFor(request.headers['accept-encoding'], body.length)

const packed = ({ body }: Reply, encoding: Encoding): Promise<Buffer> =>
  typeof body === 'string' ? compress(encoding, Buffer.from(body)) : compressOnce(encoding, body)
