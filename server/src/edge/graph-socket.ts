import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { type GraphQLSchema } from 'graphql'
import { Fault } from '../domain/fault.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type Metrics } from '../runtime/metrics.ts'
import { type Site, graphRequest } from './site.ts'
import { preparing } from './execute.ts'
import { graphErrorFrom, logBug } from './graph-errors.ts'
import { visitOf } from './http.ts'
import { documentRules } from './limits.ts'
import { nobodyWith, rightsOf } from './rights.ts'
import { standingOn } from './standing.ts'
import { type GraphSocket, openGraphSocket } from './ws/graphql-socket.ts'
import { type Caller } from './ws/session.ts'
import { type SocketLimits, socketLimits } from './ws/socket-limits.ts'
import { type Upgrades } from './ws/upgrade.ts'

export interface GraphSocketOptions {
  schema: GraphQLSchema
  site: Site
  upgrades: Upgrades
  introspection: boolean
  trustProxy: number
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<SocketLimits>
}

/** The GraphQL door for sockets: the same viewer, document rules and error words as over HTTP. */
export function graphSocketOn({
  schema,
  site,
  upgrades,
  introspection,
  trustProxy,
  log,
  limits,
  ...rest
}: GraphSocketOptions): GraphSocket {
  return openGraphSocket({
    ...rest,
    schema,
    upgrades,
    log,
    path: '/graphql',
    limits: { ...socketLimits, ...limits },
    prepare: preparing({ schema, ...documentRules({ pageCap: site.pageCap, introspection }) }),
    formatError(error, requestId) {
      logBug(log, error, requestId)
      return graphErrorFrom(error, { requestId, introspection })
    },
    identify: (connectionParams, request) =>
      callerOn(site, { request, headers: headersFrom(connectionParams, request), trustProxy }),
  })
}

/**
 * What HTTP says in headers, a socket says in its first message; a browser cannot set headers on
 * it. Nothing else is taken over.
 */
function headersFrom(
  connectionParams: Readonly<Record<string, unknown>>,
  request: IncomingMessage,
): IncomingHttpHeaders {
  const { authorization, tenantId } = connectionParams
  const agent = request.headers['user-agent']
  return {
    ...(typeof authorization === 'string' ? { authorization } : {}),
    ...(typeof tenantId === 'string' ? { 'x-tenant-id': tenantId } : {}),
    ...(agent === undefined ? {} : { 'user-agent': agent }),
  }
}

interface Opening {
  request: IncomingMessage
  headers: IncomingHttpHeaders
  trustProxy: number
}

async function callerOn(site: Site, { request, headers, trustProxy }: Opening): Promise<Caller> {
  const visit = visitOf(request, trustProxy)
  const viewer = await site.identify.viewerOf(headers, visit.url)
  if (viewer.credential === 'none')
    throw new Fault('unauthenticated', 'Log in first: send a token in connection_init.')
  return {
    userId: viewer.userId,
    tenantId: viewer.tenantId,
    async ask(requestId, { idempotencyKey }) {
      const own =
        typeof idempotencyKey === 'string'
          ? { ...headers, 'idempotency-key': idempotencyKey }
          : headers
      const context = await graphRequest(
        { ...visit, requestId, request: { headers: own, socket: request.socket } },
        site,
      )
      return {
        context,
        rights: rightsOf(context.viewer),
        sharedContext: { ...context, viewer: nobodyWith(context.viewer) },
      }
    },
    standing: standingOn(viewer, () => site.identify.viewerOf(headers, visit.url)),
  }
}
