import { type Hub } from '../../engine/changes/hub.ts'
import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type Clock } from '../../runtime/clock.ts'
import { ConnectionLimiter } from '../../engine/sockets/connection-limiter.ts'
import { type EventSource } from './event-feed.ts'

/** Events for listeners without a credential, such as the web UI of VirtFoundry 0.5. */
export interface AnonymousEvents {
  open(address: string): EventSource
}

/** The event tells that some VM changed. It names neither the VM nor its tenant. */
const text = JSON.stringify({ type: 'vm.updated', payload: {} })

/** Changes within this time are one event, so that its time reveals little about a VM. */
const togetherMs = 1_000

/** Behind a proxy that is not trusted, all listeners have one address. */
const limits = { socketsPerUser: 200, socketsPerTenant: 1_000 }

/**
 * Opens sources without content. The UI reads its lists again after each event, with its own
 * credential, so it needs no content here.
 */
export function anonymousEventsOn(
  hub: Pick<Hub, 'subscribe'>,
  clock: Pick<Clock, 'sleep'>,
): AnonymousEvents {
  const limiter = new ConnectionLimiter(limits)
  const listen = () => hub.subscribe({ scope: 'platform', kinds: ['vm'] })
  return {
    open(address) {
      // All listeners count as one tenant, and the listeners of one address as one user.
      const owner = { userId: address, tenantId: '' }
      if (!limiter.acquire(owner))
        throw new Fault('too_many_requests', messageOf('access.events_too_often_anonymous'))
      let changes = listen()
      let isOver = false
      return {
        async next() {
          const { value, done } = await changes.next()
          if (done === true || isOver) return null
          await clock.sleep(togetherMs)
          changes.close()
          if (isOver) return null
          changes = listen()
          return { cursor: value.gap ? value.cursor : value.change.cursor, text }
        },
        close() {
          if (isOver) return
          isOver = true
          changes.close()
          limiter.release(owner)
        },
      }
    },
  }
}
