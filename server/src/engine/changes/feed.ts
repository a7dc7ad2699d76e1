import { type ClientConfig, type Pool } from 'pg'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { startDoorbell } from './doorbell.ts'
import { startTail } from './follow.ts'
import { type Hub, createHub } from './hub.ts'
import { type ChangeKind } from '../model/change.ts'
import { openChangeLog } from './tail.ts'

/** Tells this replica which rows have changed, on whichever replica the change was made. */
export interface ChangeFeed {
  readonly hub: Hub
  /**
   * Adds a listener for every notification, including those without a change. Returns a function
   * that removes it.
   */
  onNotification(listener: (hasWork: boolean) => void): () => void
  /** How long an older transaction has held back committed changes. Alert from 5 s on. */
  lagMs(): number
  listening(): boolean
  /** The time since the log was last read. */
  silentMs(): number
  stop(): Promise<void>
}

interface FeedParts {
  /** Must see all tenants: `-c berth.scope=platform`. */
  readonly pool: Pool
  /** The dedicated LISTEN connection, directly to the primary. */
  readonly connection: ClientConfig
  /** The kinds of changes to publish. The log of a newer version may contain other kinds. */
  readonly kinds: readonly ChangeKind[]
  readonly clock: Clock
  readonly log: Log
}

/** Starts the change feed of one replica: doorbell, tail and hub. */
export async function startChangeFeed({
  pool,
  connection,
  kinds,
  clock,
  log,
}: FeedParts): Promise<ChangeFeed> {
  const changeLog = openChangeLog(pool, kinds)
  const hub = createHub({ changeLog, clock })
  const listeners = new Set<(hasWork: boolean) => void>()
  let lagMs = 0
  let readAtMs = clock.elapsedMs()
  const tail = await startTail({
    changeLog,
    clock,
    log,
    onPage(page) {
      lagMs = page.heldMs
      readAtMs = clock.elapsedMs()
      hub.publish(page)
    },
  })
  const onNotification = (hasWork: boolean): void => {
    tail.notify()
    for (const listener of listeners) listener(hasWork)
  }
  const doorbell = startDoorbell({ connection, clock, log, onNotification })
  return {
    hub,
    onNotification(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    lagMs: () => lagMs,
    listening: () => doorbell.connected(),
    silentMs: () => clock.elapsedMs() - readAtMs,
    async stop() {
      await doorbell.stop()
      await tail.stop()
      hub.close()
    },
  }
}
