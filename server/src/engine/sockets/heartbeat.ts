import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Caller } from './session.ts'
import { type SocketLimits } from './socket-limits.ts'
import { recheckAll } from './credential-check.ts'
import { type Wire, socketCloseReasons } from './wire.ts'

/** A connection that the heartbeat watches. */
export interface OpenSession {
  wire: Pick<Wire, 'open' | 'close' | 'ping'> & { onClosed(listener: () => void): void }
  caller: Pick<Caller, 'checkCredential' | 'userId'> | null
}

export interface HeartbeatParts {
  clock: Clock
  log: Log
  limits: Pick<SocketLimits, 'pingMs' | 'recheckMs'>
}

export interface SocketHeartbeat {
  sockets(): number
  /**
   * Rechecks every credential now, after some were revoked. A periodic recheck runs every few
   * seconds anyway.
   */
  recheck(): Promise<void>
  stop(): Promise<void>
}

/**
 * Disconnects dead peers and callers that lost their permissions. `remove` stops new connections.
 */
export function startHeartbeat(
  sessions: ReadonlySet<OpenSession>,
  { clock, log, limits }: HeartbeatParts,
  remove: () => void,
): SocketHeartbeat {
  const pings = clock.every(limits.pingMs, () => sessions.forEach(({ wire }) => wire.ping()))
  const recheck = (): Promise<void> => recheckAll(sessions, log)
  const rechecks = clock.every(limits.recheckMs, recheck)
  return {
    sockets: () => sessions.size,
    recheck,
    async stop() {
      remove()
      const closed = Promise.all(
        [...sessions].map(
          ({ wire }) => new Promise<void>((resolve) => wire.onClosed(() => resolve())),
        ),
      )
      for (const { wire } of sessions) wire.close(socketCloseReasons.goingAway)
      await Promise.all([closed, pings.stop(), rechecks.stop()])
    },
  }
}
