import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { type Caller } from './session.ts'
import { type SocketLimits } from './socket-limits.ts'
import { StrangerLimiter } from './stranger-limiter.ts'
import { upgradeRefusal } from './credential-check.ts'
import { type Upgrade, type Upgrades, refuseUpgrade } from './upgrade.ts'
import { type SocketHeartbeat, startHeartbeat } from './heartbeat.ts'
import { Wire, socketCloseReasons } from './wire.ts'

/** One subscriber and its events. */
export interface EventSubscriber extends Pick<Caller, 'checkCredential' | 'userId'> {
  /** Resolves with null when no more events will come. */
  next(): Promise<{ text: string } | null>
  close(): void
}

export interface EventsSocketParts {
  upgrades: Upgrades
  path: string
  /** The number of proxies in front of the server. */
  trustProxy: number
  /** Throws a fault when the caller may not subscribe. */
  admit: (upgrade: Upgrade) => Promise<EventSubscriber>
  clock: Clock
  log: Log
  metrics: Metrics
  limits: SocketLimits
}

interface Session {
  wire: Wire
  caller: EventSubscriber
}

/**
 * Sends events as text frames, in one direction only. The caller is authenticated before the
 * WebSocket handshake, so an unknown caller gets a plain HTTP refusal.
 */
export function openEventsSocket(parts: EventsSocketParts): SocketHeartbeat {
  const { upgrades, path, limits, clock, log, metrics } = parts
  const sessions = new Set<Session>()
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
  })
  const strangers = new StrangerLimiter(limits, parts)

  const receive = async (upgrade: Upgrade): Promise<void> => {
    const { request, stream, head } = upgrade
    const becomesKnown = strangers.admit(upgrade)
    if (!becomesKnown) return
    try {
      const caller = await parts.admit(upgrade)
      if (stream.destroyed) return caller.close()
      acceptor.handleUpgrade(request, stream, head, (socket) => accept(socket, upgrade, caller))
    } catch (error) {
      const { status, text } = upgradeRefusal(error, log)
      refuseUpgrade(stream, status, text)
    } finally {
      becomesKnown()
    }
  }

  const accept = (socket: WebSocket, { stream }: Upgrade, caller: EventSubscriber): void => {
    const session = { wire: new Wire({ socket, stream, limits, clock }), caller }
    sessions.add(session)
    // Client messages are read so that the message limits apply, but they have no meaning.
    session.wire.onText(() => Promise.resolve())
    session.wire.onClosed(() => {
      sessions.delete(session)
      caller.close()
    })
    void sendEvents(session).catch((error: unknown) => {
      log.warn('events.stream_failed', {
        userId: caller.userId,
        error,
        effect: 'the event socket was closed, and its client was told to connect again later',
        remedy: 'none, unless it repeats: check PostgreSQL',
      })
      session.wire.close(socketCloseReasons.tryLater)
    })
  }

  const remove = upgrades.add((upgrade) => {
    if (upgrade.url.pathname !== path) return false
    void receive(upgrade)
    return true
  })
  metrics.gauge('berth_event_sockets', 'Open sockets of events.', () => sessions.size)
  return startHeartbeat(sessions, parts, remove)
}

/**
 * Sends events one at a time. Events that the network does not accept yet wait in the change log.
 */
async function sendEvents({ wire, caller }: Session): Promise<void> {
  for (let event = await caller.next(); event && wire.open; event = await caller.next())
    await wire.send(event.text)
  wire.close(socketCloseReasons.goingAway)
}
