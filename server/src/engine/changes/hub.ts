import { type ChangeKind } from '../model/change.ts'
import { type Position, cursorFromPosition, isAfter, parseCursor } from '../model/cursor.ts'
import { type Scope } from '../model/scope.ts'
import { type Clock } from '../../runtime/clock.ts'
import { RecentChanges } from './recent-changes.ts'
import { Subscription, includesChange } from './subscription.ts'
import { type ChangeLog, type Page } from './tail.ts'

export interface Hub {
  /**
   * Subscribes from now on, or from a cursor of an earlier subscription. Refuses any other text.
   */
  subscribe(request: SubscriptionRequest): Subscription
  /** True when changes after the cursor may already have been published to other subscribers. */
  mayHaveMissed(request: SubscriptionRequest): boolean
  /** The current position. Reads that start now see every change before it. */
  cursor(): string
  /** Publishes a page of the tail to all subscriptions. */
  publish(page: Page): void
  subscriptions(): number
  close(): void
}

interface SubscriptionRequest {
  /** The scope: a tenant sees its own changes and those of the platform; the platform sees all. */
  readonly scope: Scope
  readonly kinds?: readonly ChangeKind[] | undefined
  readonly after?: string | null | undefined
}

interface HubParts {
  readonly changeLog: ChangeLog
  readonly clock: Clock
  /** The most distinct objects that may wait for one subscriber. */
  readonly queueLimit?: number
}

/**
 * Creates the hub, which passes the changes of the log on to the subscriptions of this replica. The
 * first published page sets the position.
 */
export function createHub({ changeLog, clock, queueLimit = 256 }: HubParts): Hub {
  const subscriptions = new Set<Subscription>()
  const recent = new RecentChanges(4 * queueLimit)
  let published: Position = { xid: 0n, id: 0n }

  return {
    subscribe({ scope, kinds, after }) {
      const from = after ? parseCursor(after) : published
      const subscription: Subscription = new Subscription({
        scope,
        kinds,
        from,
        resume: Boolean(after),
        limit: queueLimit,
        read: (position) =>
          changeLog.read({
            after: position,
            limit: queueLimit,
            scope,
            ...(kinds ? { kinds } : {}),
          }),
        hubPosition: () => published,
        sleep: (delayMs) => clock.sleep(delayMs),
        onClose: () => subscriptions.delete(subscription),
      })
      subscriptions.add(subscription)
      return subscription
    },
    mayHaveMissed({ scope, kinds, after }) {
      if (!after) return false
      const position = parseCursor(after)
      // A position ahead of this hub may come from before a restore of the database. Only the log
      // can tell.
      return (
        isAfter(position, published) ||
        recent.mayContain(position, (change) => includesChange({ scope, kinds }, change))
      )
    },
    cursor: () => cursorFromPosition(published),
    publish(page) {
      if (page.gap) for (const subscription of subscriptions) subscription.gap(page.position)
      for (const entry of page.changes)
        for (const subscription of subscriptions) subscription.push(entry)
      recent.add(page)
      if (isAfter(page.position, published) || page.gap) published = page.position
    },
    subscriptions: () => subscriptions.size,
    close() {
      for (const subscription of [...subscriptions]) subscription.close()
    },
  }
}
