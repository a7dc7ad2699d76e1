import { Fault } from '../engine/model/fault.ts'
import { messageOf } from '../engine/model/message.ts'
import { type StreamLimits } from '../engine/rest/route.ts'
import { ConnectionLimiter } from '../engine/sockets/connection-limiter.ts'

/** Counts the open streams of each user, for the routes that limit them. */
export class StreamSlots {
  readonly #limiters = new WeakMap<StreamLimits, ConnectionLimiter>()

  /** Returns a function that frees the slot. Refuses a user who has no slot left. */
  acquire(userId: string, limits: StreamLimits): () => void {
    const { perUser } = limits
    if (perUser === undefined) return () => undefined
    const limiter =
      this.#limiters.get(limits) ??
      new ConnectionLimiter({ socketsPerUser: perUser, socketsPerTenant: Infinity })
    this.#limiters.set(limits, limiter)
    const owner = { userId, tenantId: null }
    if (!limiter.acquire(owner))
      throw new Fault(
        'too_many_requests',
        messageOf('request.streams_limited', { most: perUser }),
        {
          retryAfterSeconds: 1,
        },
      )
    return () => limiter.release(owner)
  }
}
