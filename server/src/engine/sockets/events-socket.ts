import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { type Caller } from './session.ts'
import { type SocketLimits } from './socket-limits.ts'
import { unwelcome } from './credential-check.ts'
import { type Upgrade, type Upgrades, refuseUpgrade } from './upgrade.ts'
import { type Upkeep, upkeepOf } from './heartbeat.ts'
import { Wire, closing } from './wire.ts'

/** Who listens, and what they hear. */
export interface Audience extends Pick<Caller, 'standing'> {
  /** Null when nothing more will come. */
  next(): Promise<{ text: string } | null>
  close(): void
}

export interface EventsSocketParts {
  upgrades: Upgrades
  path: string
  /** Throws a fault for everybody who is not welcome. */
  admit: (upgrade: Upgrade) => Promise<Audience>
  clock: Clock
  log: Log
  metrics: Metrics
  limits: SocketLimits
}

interface Session {
  wire: Wire
  caller: Audience
}

/**
 * Events as text frames, from the server alone. Who may listen is known before the protocol is
 * spoken: a stranger gets a plain refusal.
 */
export function openEventsSocket(parts: EventsSocketParts): Upkeep {
  const { upgrades, path, limits, clock, log, metrics } = parts
  const sessions = new Set<Session>()
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
  })
  let strangers = 0

  const receive = async (upgrade: Upgrade): Promise<void> => {
    const { request, stream, head } = upgrade
    strangers += 1
    try {
      const caller = await parts.admit(upgrade)
      if (stream.destroyed) return caller.close()
      acceptor.handleUpgrade(request, stream, head, (socket) => speak(socket, upgrade, caller))
    } catch (error) {
      refuseUpgrade(stream, unwelcome(error, log).status)
    } finally {
      strangers -= 1
    }
  }

  const speak = (socket: WebSocket, { stream }: Upgrade, caller: Audience): void => {
    const session = { wire: new Wire({ socket, stream, limits, clock }), caller }
    sessions.add(session)
    // What a listener says is read, so that it can be too much, and means nothing.
    session.wire.onText(() => Promise.resolve())
    session.wire.onClosed(() => {
      sessions.delete(session)
      caller.close()
    })
    void tell(session).catch((error: unknown) => {
      log.warn('events could not be told any more', { error })
      session.wire.close(closing.tryLater)
    })
  }

  const remove = upgrades.add((upgrade) => {
    if (upgrade.url.pathname !== path) return false
    if (strangers >= limits.strangers) refuseUpgrade(upgrade.stream, 503)
    else void receive(upgrade)
    return true
  })
  metrics.gauge('berth_event_sockets', 'Open sockets of events.', () => sessions.size)
  return upkeepOf(sessions, parts, remove)
}

/** One after the other: what the network does not take yet waits in the log. */
async function tell({ wire, caller }: Session): Promise<void> {
  for (let event = await caller.next(); event && wire.open; event = await caller.next())
    await wire.send(event.text)
  wire.close(closing.goingAway)
}
