import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { type GraphQLSchema } from 'graphql'
import { Fault } from '../engine/model/fault.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type Metrics } from '../runtime/metrics/metrics.ts'
import { type ServerContext, rateLimitedRequest, rateLimitedViewer } from './request-context.ts'
import { documentPreparer } from '../engine/graphql/execute.ts'
import { graphErrorFrom, logUnexpected } from '../engine/graphql/graph-errors.ts'
import { requestContextOf } from '../engine/http/http.ts'
import { documentRules } from '../engine/graphql/limits.ts'
import { anonymousWithRightsOf, rightsOf } from '../engine/auth/rights.ts'
import { credentialCheckFor } from './session/session-check.ts'
import { type GraphSocket, openGraphSocket } from '../engine/sockets/graphql-socket.ts'
import { type Caller } from '../engine/sockets/session.ts'
import { type SocketLimits, socketLimits } from '../engine/sockets/socket-limits.ts'
import { type Upgrades } from '../engine/sockets/upgrade.ts'
import { messageOf } from '../engine/model/message.ts'

export interface GraphSocketOptions {
  schema: GraphQLSchema
  server: ServerContext
  upgrades: Upgrades
  introspection: boolean
  trustProxy: number
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<SocketLimits>
}

/**
 * Serves GraphQL over WebSocket: with the same viewer, document rules and error messages as over
 * HTTP.
 */
export function graphSocketOn({
  schema,
  server,
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
    trustProxy,
    limits: { ...socketLimits, ...limits },
    prepare: documentPreparer({
      schema,
      ...documentRules({ pageCap: server.pageCap, introspection }),
    }),
    formatError(error, requestId) {
      logUnexpected(log, error, requestId)
      return graphErrorFrom(error, { requestId, introspection })
    },
    identify: (connectionParams, request) =>
      callerOn(server, { request, headers: headersFrom(connectionParams, request), trustProxy }),
  })
}

/**
 * Reads credentials from the first message of the socket, because a browser cannot set headers on
 * it. Other values are ignored.
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

interface SocketOpening {
  request: IncomingMessage
  headers: IncomingHttpHeaders
  trustProxy: number
}

async function callerOn(
  server: ServerContext,
  { request, headers, trustProxy }: SocketOpening,
): Promise<Caller> {
  const http = {
    ...requestContextOf(request, trustProxy),
    request: { headers, socket: request.socket },
  }
  const viewer = await rateLimitedViewer(http, server)
  if (viewer.credential === 'none')
    throw new Fault('unauthenticated', messageOf('access.log_in_on_socket'))
  return {
    userId: viewer.userId,
    tenantId: viewer.tenantId,
    async authorizeOperation(requestId, { idempotencyKey }) {
      const own =
        typeof idempotencyKey === 'string'
          ? { ...headers, 'idempotency-key': idempotencyKey }
          : headers
      const context = await rateLimitedRequest(
        { ...http, requestId, request: { headers: own, socket: request.socket } },
        server,
      )
      return {
        context,
        rights: rightsOf(context.viewer),
        sharedContext: { ...context, viewer: anonymousWithRightsOf(context.viewer) },
      }
    },
    checkCredential: credentialCheckFor(viewer, () => server.identify.viewerOf(headers, http.url)),
  }
}
