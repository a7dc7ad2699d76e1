import { type ChangeKind } from '../model/change.ts'
import { type Position, cursorFromPosition, isAfter, parseCursor } from '../model/cursor.ts'
import { type Scope } from '../model/scope.ts'
import { type Clock } from '../../runtime/clock.ts'
import { Recent } from './recent.ts'
import { Subscription, wants } from './subscription.ts'
import { type ChangeLog, type Page } from './tail.ts'

export interface Hub {
  /**
   * From now on, or from a cursor that an earlier subscription gave out; refuses any other text.
   */
  subscribe(wanted: Wanted): Subscription
  /**
   * Whether who listens from a cursor on may have something to hear that others were told already.
   */
  mayHaveMissed(wanted: Wanted): boolean
  /** What is read from now on holds all that stands before it in the log. */
  cursor(): string
  /** From the tail: tells all subscriptions. */
  publish(page: Page): void
  subscriptions(): number
  close(): void
}

interface Wanted {
  /** A tenant hears of its own objects and of the platform's; the platform hears all. */
  readonly scope: Scope
  readonly kinds?: readonly ChangeKind[] | undefined
  readonly after?: string | null | undefined
}

interface HubParts {
  readonly changeLog: ChangeLog
  readonly clock: Clock
  /** How many different objects may wait for one subscriber. */
  readonly queueLimit?: number
}

/**
 * Fans the log out to the subscriptions of this replica. The first page published says where the
 * log stands.
 */
export function createHub({ changeLog, clock, queueLimit = 256 }: HubParts): Hub {
  const subscriptions = new Set<Subscription>()
  const recent = new Recent(4 * queueLimit)
  let told: Position = { xid: 0n, id: 0n }

  return {
    subscribe({ scope, kinds, after }) {
      const from = after ? parseCursor(after) : told
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
        hubPosition: () => told,
        sleep: (delayMs) => clock.sleep(delayMs),
        onClose: () => subscriptions.delete(subscription),
      })
      subscriptions.add(subscription)
      return subscription
    },
    mayHaveMissed({ scope, kinds, after }) {
      if (!after) return false
      const position = parseCursor(after)
      // Ahead of what was told here it may come from another life of the database, which only the
      // log can tell.
      return (
        isAfter(position, told) ||
        recent.mayHold(position, (change) => wants({ scope, kinds }, change))
      )
    },
    cursor: () => cursorFromPosition(told),
    publish(page) {
      if (page.gap) for (const subscription of subscriptions) subscription.gap(page.position)
      for (const placed of page.changes)
        for (const subscription of subscriptions) subscription.push(placed)
      recent.add(page)
      if (isAfter(page.position, told) || page.gap) told = page.position
    },
    subscriptions: () => subscriptions.size,
    close() {
      for (const subscription of [...subscriptions]) subscription.close()
    },
  }
}
