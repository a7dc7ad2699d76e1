import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Caller } from './session.ts'
import { type SocketLimits } from './socket-limits.ts'
import { recheckAll } from './credential-check.ts'
import { type Wire, closing } from './wire.ts'

interface Kept {
  wire: Wire
  caller: Pick<Caller, 'standing'> | null
}

interface UpkeepParts {
  clock: Clock
  log: Log
  limits: Pick<SocketLimits, 'pingMs' | 'recheckMs'>
}

export interface Upkeep {
  sockets(): number
  /**
   * Looks at every credential now, for whoever hears that some were revoked; it happens every few
   * seconds anyway.
   */
  recheck(): Promise<void>
  stop(): Promise<void>
}

/**
 * Notices peers that are gone and callers that have lost their rights; `remove` lets nobody in any
 * more.
 */
export function upkeepOf(
  sessions: ReadonlySet<Kept>,
  { clock, log, limits }: UpkeepParts,
  remove: () => void,
): Upkeep {
  const pings = clock.every(limits.pingMs, () => sessions.forEach(({ wire }) => wire.ping()))
  const recheck = (): Promise<void> => recheckAll(sessions, log)
  const rechecks = clock.every(limits.recheckMs, recheck)
  return {
    sockets: () => sessions.size,
    recheck,
    async stop() {
      remove()
      const gone = Promise.all(
        [...sessions].map(
          ({ wire }) => new Promise<void>((resolve) => wire.onClosed(() => resolve())),
        ),
      )
      for (const { wire } of sessions) wire.close(closing.goingAway)
      await Promise.all([gone, pings.stop(), rechecks.stop()])
    },
  }
}
