import { Fault } from '../engine/model/fault.ts'
import { type Viewer, anonymous } from '../engine/model/viewer.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Berth } from '../usecases/berth.ts'
import { type GraphRequest } from './graphql/context.ts'
import { type Visit } from '../engine/http/http.ts'
import { type RequestBudget } from '../engine/http/request-budget.ts'
import { messageOf } from '../engine/model/message.ts'

export interface Identify {
  viewerOf(headers: Visit['request']['headers'], url: URL): Promise<Viewer>
}

export interface Site {
  berth: Berth
  hub: GraphRequest['hub']
  identity: GraphRequest['identity']
  identify: Identify
  pageCap: number
  budget: RequestBudget
  clock: Clock
  /** True once the process is leaving: nobody is to wait for anything any more. */
  leaving: () => boolean
}

/** A visit, or an operation on a socket, which has its headers from the first message. */
type Asking = Pick<Visit, 'url' | 'requestId' | 'address'> & {
  request: Pick<Visit['request'], 'headers' | 'socket'>
}

/** The request as resolvers see it. */
export async function graphRequest(visit: Asking, site: Site): Promise<GraphRequest> {
  const { headers, socket } = visit.request
  const key = headers['idempotency-key']
  if (typeof key === 'string' && (key.length < 1 || key.length > 200))
    throw new Fault('invalid_input', messageOf('request.key_length'))
  return {
    berth: site.berth,
    hub: site.hub,
    changeCursor: site.hub.cursor(),
    identity: site.identity,
    viewer: await site.identify.viewerOf(headers, visit.url),
    requestId: visit.requestId,
    address: visit.address,
    userAgent: String(headers['user-agent'] ?? '').slice(0, 200),
    idempotencyKey: typeof key === 'string' ? key : null,
    pageCap: site.pageCap,
    clock: site.clock,
    isGone: () => socket.destroyed || site.leaving(),
  }
}

export type Counted = Asking & Pick<Visit, 'headers'>

/**
 * The same for a visit over HTTP, which counts: also that of somebody whose credential is not good.
 */
export async function countedRequest(visit: Counted, site: Site): Promise<GraphRequest> {
  const request = await graphRequest(visit, site).catch((error: unknown) => {
    site.budget.charge(visit, anonymous)
    throw error
  })
  site.budget.charge(visit, request.viewer)
  return request
}
