import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Fault } from '../../engine/model/fault.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { type Berth } from '../../usecases/berth.ts'
import { viewerOfGrant } from '../../usecases/identity/viewer-of-grant.ts'
import { type AnonymousEvents } from './anonymous-events.ts'
import { type EventFeed, type EventSource } from './event-feed.ts'
import { requestContextOf } from '../../engine/http/http.ts'
import { type ServerContext, chargedViewer, graphRequest } from '../request-context.ts'
import { findTenant } from '../session/find-tenant.ts'
import { credentialCheckFor } from '../session/session-check.ts'
import { type EventSubscriber, openEventsSocket } from '../../engine/sockets/events-socket.ts'
import { type SocketLimits, socketLimits } from '../../engine/sockets/socket-limits.ts'
import { type Upgrade, type Upgrades } from '../../engine/sockets/upgrade.ts'
import { type SocketHeartbeat } from '../../engine/sockets/heartbeat.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface EventSocketOptions {
  server: ServerContext
  feed: EventFeed
  upgrades: Upgrades
  trustProxy: number
  /** Accepts the token in the URL, for consoles that do not support tickets. */
  tokenInUrl: boolean
  /** Serves listeners without a credential; null refuses them. */
  anonymous: AnonymousEvents | null
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<SocketLimits>
}

/**
 * Serves `/ws/events`. A client authenticates with a ticket or with the headers of any other
 * request.
 */
export function eventSocketOn({
  server,
  feed,
  trustProxy,
  tokenInUrl,
  anonymous,
  limits,
  ...rest
}: EventSocketOptions): SocketHeartbeat {
  return openEventsSocket({
    ...rest,
    path: '/ws/events',
    trustProxy,
    limits: { ...socketLimits, ...limits },
    admit: (upgrade) =>
      audienceOf(
        { server, feed, anonymous },
        { ...upgrade, identify: identifierFor(server, upgrade, tokenInUrl), trustProxy },
      ),
  })
}

type EventsGrant = NonNullable<Awaited<ReturnType<Berth['eventsTickets']>>>

/** Identifies the viewer, at the start and at each recheck. */
type IdentifyViewer = () => Promise<Viewer>

function identifierFor(
  server: ServerContext,
  { url, request }: Upgrade,
  tokenInUrl: boolean,
): IdentifyViewer {
  const { searchParams: query } = url
  const ticket = query.get('ticket')
  if (ticket !== null)
    return identifierByTicket(server, { ticket, tenantId: query.get('tenant_id') })
  const headers = credentialsIn(request, query, tokenInUrl)
  // The query is removed: its values are in the headers now, or they are no credential.
  const address = new URL(tokenInUrl ? url.pathname : url.href, url)
  return () => server.identify.viewerOf(headers, address)
}

interface PresentedTicket {
  ticket: string
  tenantId: string | null
}

/** Redeems the ticket at the first call. Later calls recheck the grant. */
function identifierByTicket({ berth }: ServerContext, presented: PresentedTicket): IdentifyViewer {
  let redeemed: Promise<EventsGrant> | undefined
  return async () => {
    redeemed ??= redeemTicket(berth, presented)
    const viewer = await viewerOfGrant(berth, await redeemed)
    if (!viewer) throw ticketEnded
    return viewer
  }
}

async function redeemTicket(
  berth: Berth,
  { ticket, tenantId }: PresentedTicket,
): Promise<EventsGrant> {
  const grant = await berth.eventsTickets(ticket)
  if (!grant) throw ticketEnded
  if (tenantId !== null && (await findTenant(berth, tenantId))?.id !== grant.tenantId)
    throw new Fault('tenant_forbidden', messageOf('access.ticket_of_other_tenant'))
  return grant
}

const ticketEnded = new Fault('unauthenticated', messageOf('access.ticket_ended'))

/** Root names the tenant in the query, because a browser cannot set headers here. */
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

interface ArrivingClient extends Upgrade {
  identify: IdentifyViewer
  trustProxy: number
}

async function audienceOf(
  { server, feed, anonymous }: Pick<EventSocketOptions, 'server' | 'feed' | 'anonymous'>,
  { request, url, identify: identifyViewer, trustProxy }: ArrivingClient,
): Promise<EventSubscriber> {
  const requestContext = requestContextOf(request, trustProxy)
  const identified = await chargedViewer(requestContext, server, identifyViewer)
  if (anonymous && identified.credential === 'none')
    return anonymousSubscriber(anonymous.open(requestContext.address))
  const allTenants = url.searchParams.get('all_tenants') === 'true'
  const viewer = listeningViewer(identified, allTenants)
  const currentViewer = async (): Promise<Viewer> =>
    listeningViewer(await identifyViewer(), allTenants)
  const identify = { viewerOf: () => Promise.resolve(viewer) }
  const source = await feed.open(
    await graphRequest(requestContext, { ...server, identify }),
    url.searchParams.get('after'),
  )
  return {
    userId: viewer.userId,
    next: () => source.next(),
    close: () => source.close(),
    checkCredential: credentialCheckFor(viewer, currentViewer),
  }
}

/** Nothing that is rechecked belongs to a listener without a credential. */
const anonymousSubscriber = (source: EventSource): EventSubscriber => ({
  userId: '',
  next: () => source.next(),
  close: () => source.close(),
  checkCredential: () => Promise.resolve('good'),
})

/** Limits the viewer to one tenant's events, unless root requests all. */
function listeningViewer(viewer: Viewer, allTenants: boolean): Viewer {
  if (viewer.credential === 'none')
    throw new Fault('unauthenticated', messageOf('access.log_in_or_ticket'))
  if (allTenants && viewer.role !== 'root')
    throw new Fault('forbidden', messageOf('access.events_of_all_tenants'))
  return { ...viewer, tenantNamed: !allTenants }
}
