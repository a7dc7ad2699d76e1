import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { type GraphQLSchema } from 'graphql'
import { Fault } from '../engine/model/fault.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type Metrics } from '../runtime/metrics/metrics.ts'
import { type Site, graphRequest } from './request-context.ts'
import { preparing } from '../engine/graphql/execute.ts'
import { graphErrorFrom, logBug } from '../engine/graphql/graph-errors.ts'
import { visitOf } from '../engine/http/http.ts'
import { documentRules } from '../engine/graphql/limits.ts'
import { nobodyWith, rightsOf } from '../engine/auth/rights.ts'
import { standingOn } from './session/session-check.ts'
import { type GraphSocket, openGraphSocket } from '../engine/sockets/graphql-socket.ts'
import { type Caller } from '../engine/sockets/session.ts'
import { type SocketLimits, socketLimits } from '../engine/sockets/socket-limits.ts'
import { type Upgrades } from '../engine/sockets/upgrade.ts'
import { messageOf } from '../engine/model/message.ts'

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
    throw new Fault('unauthenticated', messageOf('access.log_in_on_socket'))
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
