import { Fault } from '../model/fault.ts'
import { type Viewer } from '../model/viewer.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Visit } from './http.ts'
import { Allowance } from '../../runtime/allowance.ts'
import { messageOf } from '../model/message.ts'

/** So many at once, and as many again in so many seconds. */
export interface RequestLimit {
  requests: number
  seconds: number
}

/** How many requests over HTTP a caller may make; each replica counts for itself. */
export interface RequestBudget {
  /** Counts one, tells in the answer's headers what is left, and refuses when nothing is. */
  charge(visit: Pick<Visit, 'address' | 'headers'>, viewer: Viewer): void
}

const mostKnown = 10_000

/**
 * By principal, so that another token is no other budget; callers whom nobody knows share that of
 * their address. No limit where it is null.
 */
export function requestBudgetOn(
  limit: RequestLimit | null,
  clock: Pick<Clock, 'elapsedMs' | 'now'>,
): RequestBudget {
  if (!limit) return { charge: () => undefined }
  const { requests, seconds } = limit
  const policy = `"requests";q=${requests};w=${seconds}`
  const known = new Map<string, Allowance>()
  const allowanceOf = (key: string): Allowance => {
    const found =
      known.get(key) ?? new Allowance({ burst: requests, perSecond: requests / seconds }, clock)
    known.delete(key)
    const [oldest] = known.keys()
    // Whoever asked least recently has most of its budget back.
    if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
    known.set(key, found)
    return found
  }
  return {
    charge(visit, viewer) {
      const allowance = allowanceOf(viewer.credential === 'none' ? visit.address : viewer.userId)
      const isWithin = allowance.take()
      const left = Math.floor(allowance.left)
      const fullInSeconds = Math.ceil(((requests - allowance.left) * seconds) / requests)
      Object.assign(visit.headers, {
        'ratelimit-policy': policy,
        ratelimit: `"requests";r=${left};t=${fullInSeconds}`,
        'x-ratelimit-limit': String(requests),
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': String(Math.ceil(clock.now().getTime() / 1_000) + fullInSeconds),
      })
      if (!isWithin) throw tooMany(limit, ((1 - allowance.left) * seconds) / requests)
    },
  }
}

const tooMany = ({ requests, seconds }: RequestLimit, retryAfterSeconds: number): Fault =>
  new Fault('too_many_requests', messageOf('request.too_many', { requests, seconds }), {
    retryAfterSeconds,
  })
