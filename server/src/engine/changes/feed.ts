import { type ClientConfig, type Pool } from 'pg'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { startDoorbell } from './doorbell.ts'
import { startTail } from './follow.ts'
import { type Hub, createHub } from './hub.ts'
import { type ChangeKind } from '../model/change.ts'
import { openChangeLog } from './tail.ts'

export interface Feed {
  readonly hub: Hub
  /** Hears every ring, also those without a change for anybody; answers how to stop hearing. */
  onRing(listener: (hasWork: boolean) => void): () => void
  /** How long committed changes are held back by an older transaction; an alarm from 5 s on. */
  lagMs(): number
  listening(): boolean
  stop(): Promise<void>
}

interface FeedParts {
  /** Sees all tenants: `-c role=berth_app -c berth.scope=platform`. */
  readonly pool: Pool
  /** For the dedicated LISTEN connection, straight to the primary. */
  readonly connection: ClientConfig
  /** The kinds of changes that are told; the log may hold others of a newer version. */
  readonly kinds: readonly ChangeKind[]
  readonly clock: Clock
  readonly log: Log
}

/** One replica's ear: doorbell, tail and hub, wired. */
export async function startFeed({ pool, connection, kinds, clock, log }: FeedParts): Promise<Feed> {
  const changeLog = openChangeLog(pool, kinds)
  const hub = createHub({ changeLog, clock })
  const listeners = new Set<(hasWork: boolean) => void>()
  let lagMs = 0
  const tail = await startTail({
    changeLog,
    clock,
    log,
    onPage(page) {
      lagMs = page.heldMs
      hub.publish(page)
    },
  })
  const onRing = (hasWork: boolean): void => {
    tail.wake()
    for (const listener of listeners) listener(hasWork)
  }
  const doorbell = startDoorbell({ connection, clock, log, onRing })
  return {
    hub,
    onRing(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    lagMs: () => lagMs,
    listening: () => doorbell.connected(),
    async stop() {
      await doorbell.stop()
      await tail.stop()
      hub.close()
    },
  }
}
