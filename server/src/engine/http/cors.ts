import { type IncomingMessage } from 'node:http'
import { type Fault } from '../model/fault.ts'
import { refusal } from './faults.ts'
import { type Reply } from './reply.ts'
import { messageOf } from '../model/message.ts'

const methods = 'GET, POST, PATCH, DELETE'
const asked =
  'Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, Prefer, X-API-Key, X-Request-ID, X-Tenant-ID'
const told =
  'ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-ID'

interface Asking {
  request: Pick<IncomingMessage, 'headers'>
  url: URL
  method: string
  /** Said with the answer, whatever that is. */
  headers: Record<string, string>
}

/**
 * Which pages of other origins may read what the REST interface answers, and send what a form
 * cannot. It lets nobody in: rights come from a header that the page has to know, never from a
 * cookie, so credentials are not allowed with it. GraphQL over HTTP stays closed to other pages.
 */
export function crossOrigin(
  visit: Asking,
  allowedOrigins: (host: string) => readonly string[],
): Reply | null {
  const { request, url, method } = visit
  const { origin, host = '' } = request.headers
  if (!url.pathname.startsWith('/api/')) return null
  visit.headers['vary'] = 'origin'
  if (origin === undefined) return null
  const isAllowed = allowedOrigins(host).includes(origin)
  if (isAllowed)
    Object.assign(visit.headers, {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': told,
    })
  if (method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return null
  if (!isAllowed) throw foreign(origin)
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': asked,
    'access-control-max-age': '600',
  }
  return { status: 204, headers, body: '' }
}

const foreign = (origin: string): Fault =>
  refusal('forbidden', messageOf('request.foreign_page', { origin: origin.slice(0, 200) }))
