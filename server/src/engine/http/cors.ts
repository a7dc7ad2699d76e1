import { type IncomingMessage } from 'node:http'
import { type Fault } from '../model/fault.ts'
import { refusal } from './faults.ts'
import { type Reply } from './reply.ts'
import { messageOf } from '../model/message.ts'

const methods = 'GET, POST, PATCH, DELETE'
const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-API-Key, X-Request-ID, X-Tenant-ID'
const exposedHeaders =
  'ETag, Idempotent-Replayed, Link, Location, Operation-Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-ID'

interface CorsRequest {
  request: Pick<IncomingMessage, 'headers'>
  url: URL
  method: string
  /** Headers that are added to any response. */
  headers: Record<string, string>
}

/**
 * Decides which pages of other origins may read REST responses and send requests that a form
 * cannot. It grants no access: permissions come from a header that the page must know, never from a
 * cookie, so credentials are not allowed. GraphQL over HTTP stays closed to other origins.
 */
export function crossOrigin(
  context: CorsRequest,
  allowedOrigins: (host: string) => readonly string[],
): Reply | null {
  const { request, url, method } = context
  const { origin, host = '' } = request.headers
  if (!url.pathname.startsWith('/api/')) return null
  context.headers['vary'] = 'origin'
  if (origin === undefined) return null
  const isAllowed = allowedOrigins(host).includes(origin)
  if (isAllowed)
    Object.assign(context.headers, {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedHeaders,
    })
  if (method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return null
  if (!isAllowed) throw foreignOrigin(origin)
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': '600',
  }
  return { status: 204, headers, body: '' }
}

/** The operator can allow only origins of the web, not `null` or those of browser extensions. */
function foreignOrigin(sent: string): Fault {
  const origin = sent.slice(0, 200)
  const sentence = /^https?:\/\//.test(origin)
    ? messageOf('request.foreign_page', { origin })
    : messageOf('request.page_without_web_origin', { origin })
  return refusal('forbidden', sentence)
}
