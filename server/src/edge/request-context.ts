import { Fault } from '../engine/model/fault.ts'
import { type Viewer, anonymous } from '../engine/model/viewer.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type Berth } from '../usecases/berth.ts'
import { type GraphRequest } from './graphql/context.ts'
import { type RequestContext } from '../engine/http/http.ts'
import { type RequestBudget } from '../engine/http/request-budget.ts'
import { messageOf } from '../engine/model/message.ts'

export interface Identify {
  viewerOf(headers: RequestContext['request']['headers'], url: URL): Promise<Viewer>
}

/** The services that all requests and sockets of this server share. */
export interface ServerContext {
  berth: Berth
  hub: GraphRequest['hub']
  identity: GraphRequest['identity']
  identify: Identify
  pageCap: number
  budget: RequestBudget
  clock: Clock
  log: Log
  /** True once the process shuts down: waits must end now. */
  leaving: () => boolean
}

/** An HTTP request, or an operation on a socket, which has its headers from the first message. */
type RequestSource = Pick<RequestContext, 'url' | 'requestId' | 'address'> & {
  request: Pick<RequestContext['request'], 'headers' | 'socket'>
  /** Headers of the response. An operation on a socket has none. */
  headers?: RequestContext['headers']
}

/** Builds the request context of the resolvers. */
export async function graphRequest(
  http: RequestSource,
  server: ServerContext,
): Promise<GraphRequest> {
  return requestAs(await server.identify.viewerOf(http.request.headers, http.url), http, server)
}

/** Does the same for a caller that is identified already. */
export function requestAs(
  viewer: Viewer,
  http: RequestSource,
  server: ServerContext,
): GraphRequest {
  const { headers, socket } = http.request
  const key = headers['idempotency-key']
  if (typeof key === 'string' && (key.length < 1 || key.length > 200))
    throw new Fault('invalid_input', messageOf('request.key_length'))
  return {
    berth: server.berth,
    hub: server.hub,
    changeCursor: server.hub.cursor(),
    identity: server.identity,
    viewer,
    requestId: http.requestId,
    address: http.address,
    userAgent: String(headers['user-agent'] ?? '').slice(0, 200),
    idempotencyKey: typeof key === 'string' ? key : null,
    onReplay: () => Object.assign(http.headers ?? {}, { 'idempotent-replayed': 'true' }),
    patienceSeconds: 0,
    pageCap: server.pageCap,
    clock: server.clock,
    isGone: () => socket.destroyed || server.leaving(),
  }
}

export type RateLimitedRequest = RequestSource & Pick<RequestContext, 'headers'>

/**
 * Builds the same context for an HTTP request. It charges the request to the caller's rate limit,
 * even when the credential is invalid.
 */
export async function rateLimitedRequest(
  http: RateLimitedRequest,
  server: ServerContext,
): Promise<GraphRequest> {
  return requestAs(await rateLimitedViewer(http, server), http, server)
}

/** Identifies the caller and charges the request, even when the credential is invalid. */
export const rateLimitedViewer = (
  http: RateLimitedRequest,
  server: ServerContext,
): Promise<Viewer> =>
  chargedViewer(http, server, () => server.identify.viewerOf(http.request.headers, http.url))

/**
 * Returns the viewer that `identify` finds, and charges the request to it. The network of the
 * client pays when the credential is invalid.
 */
export async function chargedViewer(
  http: Pick<RequestContext, 'address' | 'headers'>,
  { budget }: Pick<ServerContext, 'budget'>,
  identify: () => Promise<Viewer>,
): Promise<Viewer> {
  const viewer = await identify().catch((error: unknown) => {
    budget.charge(http, anonymous)
    throw error
  })
  budget.charge(http, viewer)
  return viewer
}
