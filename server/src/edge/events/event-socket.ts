import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Fault } from '../../engine/model/fault.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { viewerOfGrant } from '../../usecases/identity/viewer-of-grant.ts'
import { type EventFeed } from './event-feed.ts'
import { visitOf } from '../../engine/http/http.ts'
import { type Site, graphRequest } from '../request-context.ts'
import { standingOn } from '../session/session-check.ts'
import { type Audience, openEventsSocket } from '../../engine/sockets/events-socket.ts'
import { type SocketLimits, socketLimits } from '../../engine/sockets/socket-limits.ts'
import { type Upgrade, type Upgrades } from '../../engine/sockets/upgrade.ts'
import { type Upkeep } from '../../engine/sockets/heartbeat.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface EventSocketOptions {
  site: Site
  feed: EventFeed
  upgrades: Upgrades
  trustProxy: number
  /** For consoles that know no tickets. */
  tokenInUrl: boolean
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<SocketLimits>
}

/**
 * `/ws/events`: by a ticket, or by the headers that any request has. Nobody is let in without a
 * credential.
 */
export function eventSocketOn({
  site,
  feed,
  trustProxy,
  tokenInUrl,
  limits,
  ...rest
}: EventSocketOptions): Upkeep {
  return openEventsSocket({
    ...rest,
    path: '/ws/events',
    limits: { ...socketLimits, ...limits },
    admit: async (upgrade) =>
      audienceOf(
        { site, feed },
        { ...upgrade, look: await lookOf(site, upgrade, tokenInUrl), trustProxy },
      ),
  })
}

/** Looks up who speaks, now and as often as it is asked again. */
type Look = () => Promise<Viewer>

async function lookOf(site: Site, { url, request }: Upgrade, tokenInUrl: boolean): Promise<Look> {
  const { searchParams: query } = url
  const ticket = query.get('ticket')
  if (ticket !== null) return lookByTicket(site, { ticket, tenantId: query.get('tenant_id') })
  const headers = credentialsIn(request, query, tokenInUrl)
  // Without its query: what stands there has been taken over, or is no credential.
  const place = new URL(tokenInUrl ? url.pathname : url.href, url)
  return () => site.identify.viewerOf(headers, place)
}

async function lookByTicket(
  { berth }: Site,
  { ticket, tenantId }: { ticket: string; tenantId: string | null },
): Promise<Look> {
  const grant = await berth.eventsTickets(ticket)
  if (!grant) throw spent
  if (tenantId !== null && tenantId !== grant.tenantId)
    throw new Fault('tenant_forbidden', messageOf('access.ticket_of_other_tenant'))
  return async () => {
    const viewer = await viewerOfGrant(berth, grant)
    if (!viewer) throw spent
    return viewer
  }
}

const spent = new Fault('unauthenticated', messageOf('access.ticket_ended'))

/** A tenant that root wants to hear of stands in the query, for a browser sets no header. */
function credentialsIn(
  { headers }: IncomingMessage,
  query: URLSearchParams,
  tokenInUrl: boolean,
): IncomingHttpHeaders {
  const token = tokenInUrl ? query.get('token') : null
  const tenantId = query.get('tenant_id')
  return {
    ...headers,
    ...(token === null || headers.authorization ? {} : { authorization: `Bearer ${token}` }),
    ...(tenantId === null ? {} : { 'x-tenant-id': tenantId }),
  }
}

interface Arriving extends Upgrade {
  look: Look
  trustProxy: number
}

async function audienceOf(
  { site, feed }: { site: Site; feed: EventFeed },
  { request, url, look, trustProxy }: Arriving,
): Promise<Audience> {
  const wantsAll = url.searchParams.get('all_tenants') === 'true'
  const heard = async (): Promise<Viewer> => listening(await look(), wantsAll)
  const viewer = await heard()
  const identify = { viewerOf: () => Promise.resolve(viewer) }
  const source = await feed.open(
    await graphRequest(visitOf(request, trustProxy), { ...site, identify }),
    url.searchParams.get('after'),
  )
  return {
    next: () => source.next(),
    close: () => source.close(),
    standing: standingOn(viewer, heard),
  }
}

/** One tenant's events, unless root asks for all. */
function listening(viewer: Viewer, wantsAll: boolean): Viewer {
  if (viewer.credential === 'none')
    throw new Fault('unauthenticated', messageOf('access.log_in_or_ticket'))
  if (wantsAll && viewer.role !== 'root')
    throw new Fault('forbidden', messageOf('access.events_of_all_tenants'))
  return { ...viewer, tenantNamed: !wantsAll }
}
