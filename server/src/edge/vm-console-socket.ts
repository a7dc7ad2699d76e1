import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type Metrics } from '../runtime/metrics/metrics.ts'
import { type ConsoleEnd } from '../domain/guest/console.ts'
import { issueConsoleTicket } from '../usecases/vm/issue-console-ticket.ts'
import { consoleRefusalOf, openVmConsole } from '../usecases/vm/open-vm-console.ts'
import { type RequestContext, requestContextOf } from '../engine/http/http.ts'
import { type Viewer } from '../engine/model/viewer.ts'
import { type ServerContext, chargedViewer } from './request-context.ts'
import {
  type ConsoleLimits,
  type ConsoleSocket,
  openConsoleSocket,
} from '../engine/sockets/console-socket.ts'
import { type Upgrades } from '../engine/sockets/upgrade.ts'

export interface VmConsoleSocketOptions {
  server: Pick<ServerContext, 'berth' | 'identify' | 'budget'>
  /** Accepts the token in the URL, for consoles that do not support tickets. */
  tokenInUrl: boolean
  upgrades: Upgrades
  trustProxy: number
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<ConsoleLimits>
}

/**
 * Serves `/ws/console?ticket=…`. A browser cannot set headers on a socket, so it authenticates with
 * a ticket that works once. Older clients send their access token, when the operator allows that.
 */
export function vmConsoleSocketOn({
  server,
  trustProxy,
  tokenInUrl,
  ...rest
}: VmConsoleSocketOptions): ConsoleSocket {
  const { berth } = server
  return openConsoleSocket({
    ...rest,
    path: '/ws/console',
    trustProxy,
    async admit({ request, url }) {
      const origin = requestContextOf(request, trustProxy)
      const charge = (viewer: Viewer): void => server.budget.charge(origin, viewer)
      const named = consoleRequestIn(url.searchParams)
      const token = tokenInUrl ? url.searchParams.get('token') : null
      const ticket = token === null ? named.ticket : await ticketFor(server, { token, url, origin })
      return typeof ticket === 'string'
        ? openVmConsole(
            { berth, clock: rest.clock, charge },
            { ...named, ...originOf(origin), ticket },
          ).catch(consoleRefusalOf)
        : ticket.end
    },
  })
}

const consoleRequestIn = (query: URLSearchParams) => ({
  ticket: query.get('ticket') ?? '',
  kind: query.get('kind'),
  name: nameIn(query),
})

/** Older clients may name the VM in `virtualmachineid`. */
const nameIn = (query: URLSearchParams): string | null =>
  query.get('name') ?? query.get('virtualmachineid')

interface TokenRequest {
  token: string
  url: URL
  origin: RequestContext
}

/** Exchanges the token for a ticket, so that both have the same checks and audit rows. */
async function ticketFor(
  server: VmConsoleSocketOptions['server'],
  { token, url, origin }: TokenRequest,
): Promise<string | { end: ConsoleEnd }> {
  const tenant = url.searchParams.get('tenant_id')
  const headers = {
    authorization: `Bearer ${token}`,
    ...(tenant === null ? {} : { 'x-tenant-id': tenant }),
  }
  try {
    const viewer = await chargedViewer(origin, server, () =>
      server.identify.viewerOf(headers, new URL(url.pathname, url)),
    )
    return await issueConsoleTicket(server.berth, {
      viewer,
      name: nameIn(url.searchParams),
      ...originOf(origin),
    })
  } catch (error) {
    return { end: consoleRefusalOf(error) }
  }
}

const originOf = ({ requestId, address }: RequestContext) => ({ requestId, address })
