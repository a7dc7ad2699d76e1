import { Fault } from '../model/fault.ts'
import { type Viewer } from '../model/viewer.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type RequestContext } from './http.ts'
import { networkFromAddress } from '../model/ip-address.ts'
import { TokenBucket } from '../../runtime/token-bucket.ts'
import { messageOf } from '../model/message.ts'

/** A burst of `requests`, which refills within `seconds`. */
export interface RequestLimit {
  requests: number
  seconds: number
}

/**
 * Limits the HTTP requests of a caller, together with the sockets that it opens and the operations
 * that it starts on them. Each replica counts for itself.
 */
export interface RequestBudget {
  /**
   * Counts one request, reports the remaining requests in response headers, and refuses when none
   * is left.
   */
  charge(
    context: Pick<RequestContext, 'address' | 'headers'>,
    viewer: Pick<Viewer, 'credential' | 'userId'>,
  ): void
}

const maxCallers = 10_000

/**
 * Limits requests per user, so that another token does not add a budget. Anonymous callers share
 * the budget of their network. A null limit allows all requests.
 */
export function createRequestBudget(
  limit: RequestLimit | null,
  clock: Pick<Clock, 'elapsedMs' | 'now'>,
): RequestBudget {
  if (!limit) return { charge: () => undefined }
  const { requests, seconds } = limit
  const policy = `"requests";q=${requests};w=${seconds}`
  const allowances = new Map<string, TokenBucket>()
  const allowanceOf = (key: string): TokenBucket => {
    const allowance =
      allowances.get(key) ??
      new TokenBucket({ burst: requests, perSecond: requests / seconds }, clock)
    allowances.delete(key)
    const [oldest] = allowances.keys()
    // The least recent caller has regained most of its budget.
    if (allowances.size >= maxCallers && oldest !== undefined) allowances.delete(oldest)
    allowances.set(key, allowance)
    return allowance
  }
  return {
    charge(context, viewer) {
      const caller =
        viewer.credential === 'none' ? networkFromAddress(context.address) : viewer.userId
      const allowance = allowanceOf(caller)
      const isWithin = allowance.take()
      const remaining = Math.floor(allowance.remaining)
      const fullInSeconds = Math.ceil(((requests - allowance.remaining) * seconds) / requests)
      Object.assign(context.headers, {
        'ratelimit-policy': policy,
        ratelimit: `"requests";r=${remaining};t=${fullInSeconds}`,
        'x-ratelimit-limit': String(requests),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil(clock.now().getTime() / 1_000) + fullInSeconds),
      })
      if (!isWithin) throw tooMany(limit, ((1 - allowance.remaining) * seconds) / requests)
    },
  }
}

const tooMany = ({ requests, seconds }: RequestLimit, retryAfterSeconds: number): Fault =>
  new Fault('too_many_requests', messageOf('request.too_many', { requests, seconds }), {
    retryAfterSeconds,
  })
