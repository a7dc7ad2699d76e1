import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { ConnectionLimiter } from './connection-limiter.ts'
import {
  type ConsoleCloseReason,
  ConsoleSession,
  type ConsoleAccess,
  closeSocket,
} from './console-session.ts'
import { StrangerLimiter } from './stranger-limiter.ts'
import { type Upgrade, type Upgrades } from './upgrade.ts'

/** Resource limits of consoles. */
export interface ConsoleLimits {
  /** The largest message of a client; a paste is one message. */
  messageBytes: number
  /** The most sockets whose ticket is not checked yet. */
  unauthenticatedSockets: number
  /** The most of them from one network. */
  unauthenticatedPerNetwork: number
  socketsPerUser: number
  socketsPerTenant: number
  /** The ping interval. A peer that sends no pong between two pings is disconnected. */
  pingMs: number
  recheckMs: number
  /** How long a console may stay open without traffic. */
  idleMs: number
  closeMs: number
}

export const consoleLimits: ConsoleLimits = {
  messageBytes: 1024 * 1024,
  unauthenticatedSockets: 100,
  unauthenticatedPerNetwork: 25,
  socketsPerUser: 20,
  socketsPerTenant: 200,
  pingMs: 20_000,
  recheckMs: 10_000,
  idleMs: 30 * 60_000,
  closeMs: 2_000,
}

export interface ConsoleSocketParts {
  upgrades: Upgrades
  path: string
  /** The number of proxies in front of the server. */
  trustProxy: number
  /** Checks the ticket. Returns a close reason when the console cannot be opened. */
  admit: (upgrade: Upgrade) => Promise<ConsoleAccess | ConsoleCloseReason>
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<ConsoleLimits>
}

export interface ConsoleSocket {
  sockets(): number
  /**
   * Rechecks the permissions of every session now, after some were revoked. A periodic recheck runs
   * every few seconds anyway.
   */
  recheck(): Promise<void>
  stop(): Promise<void>
}

const protocols = ['plain.kubevirt.io', 'binary'] as const

const selectProtocol = (offered: ReadonlySet<string>): string | false =>
  protocols.find((each) => offered.has(each)) ?? false

/**
 * Serves consoles and screens of VMs over WebSocket. The ticket in the URL decides who may connect,
 * and permissions are rechecked periodically.
 */
export function openConsoleSocket({
  limits: overrides,
  ...parts
}: ConsoleSocketParts): ConsoleSocket {
  const { upgrades, path, clock, metrics } = parts
  const limits = { ...consoleLimits, ...overrides }
  const registry = new ConsoleRegistry({ ...parts, limits })
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: selectProtocol,
  })
  const remove = upgrades.add((upgrade) => {
    if (upgrade.url.pathname !== path) return false
    const { request, stream, head } = upgrade
    const becomesKnown = registry.strangers.admit(upgrade)
    if (!becomesKnown) return true
    acceptor.handleUpgrade(
      request,
      stream,
      head,
      (socket) => void registry.receive(socket, upgrade, becomesKnown),
    )
    return true
  })
  const pings = clock.every(limits.pingMs, () =>
    registry.sessions.forEach((session) => session.ping()),
  )
  const rechecks = clock.every(limits.recheckMs, () => registry.recheck())
  metrics.gauge('berth_console_sockets', 'Open consoles and screens.', () => registry.sessions.size)
  return {
    sockets: () => registry.sessions.size,
    recheck: () => registry.recheck(),
    async stop() {
      remove()
      await Promise.all([pings.stop(), rechecks.stop(), registry.clear()])
    },
  }
}

type RegistryParts = Omit<ConsoleSocketParts, 'limits'> & { limits: ConsoleLimits }

/** The open console sessions of this replica. */
class ConsoleRegistry {
  readonly sessions = new Set<ConsoleSession>()
  readonly strangers: StrangerLimiter
  readonly #parts: RegistryParts
  readonly #owners = new Map<string, ConsoleSession>()
  readonly #limiter: ConnectionLimiter
  readonly #sessions = new Set<Promise<void>>()

  constructor(parts: RegistryParts) {
    this.#parts = parts
    this.#limiter = new ConnectionLimiter(parts.limits)
    this.strangers = new StrangerLimiter(parts.limits, parts)
  }

  async receive(socket: WebSocket, upgrade: Upgrade, becomesKnown: () => void): Promise<void> {
    // An error also closes the connection, and only the close is handled.
    socket.on('error', () => undefined)
    // Client messages wait in the network until the guest's stream is open.
    socket.pause()
    const running = this.#runSession(socket, upgrade, becomesKnown).catch((error: unknown) => {
      this.#parts.log.error('vm_console.session_failed', {
        path: upgrade.url.pathname,
        error,
        effect: 'the console of the VM was closed',
        remedy:
          'read the error; if it names neither PostgreSQL nor the cluster, report it to the developers of Berth',
      })
      this.#close(socket, 'internal')
    })
    this.#sessions.add(running)
    await running
    this.#sessions.delete(running)
  }

  async recheck(): Promise<void> {
    for (const session of [...this.sessions]) {
      const credential = await session.access.checkCredential().catch((error: unknown) => {
        // A failed check proves nothing against the session; the next round repeats it.
        this.#parts.log.warn('vm_console.credential_check_failed', {
          userId: session.access.userId,
          error,
          effect:
            'the console of the VM stays open until the next check, even if the permission was revoked',
          remedy: 'none, unless it repeats: check PostgreSQL',
        })
        return 'good' as const
      })
      if (credential !== 'good') session.end(credential === 'ended' ? 'unauthorized' : 'forbidden')
    }
  }

  async clear(): Promise<void> {
    for (const session of this.sessions) session.end('goingAway')
    await Promise.all(this.#sessions)
  }

  async #runSession(socket: WebSocket, upgrade: Upgrade, becomesKnown: () => void): Promise<void> {
    const access = await this.#parts.admit(upgrade).finally(becomesKnown)
    if (typeof access === 'string') return this.#close(socket, access)
    if (!this.#limiter.acquire(access)) return this.#close(socket, 'tooMany')
    const session = new ConsoleSession({
      socket,
      access,
      limits: this.#parts.limits,
      clock: this.#parts.clock,
    })
    this.sessions.add(session)
    try {
      await session.run(() => this.#own(session))
    } finally {
      this.sessions.delete(session)
      if (this.#owners.get(access.consoleKey) === session) this.#owners.delete(access.consoleKey)
      this.#limiter.release(access)
    }
  }

  /**
   * Takes over the console. By now the cluster has disconnected the previous session without a
   * reason.
   */
  #own(session: ConsoleSession): void {
    this.#owners.get(session.access.consoleKey)?.end('taken')
    this.#owners.set(session.access.consoleKey, session)
  }

  #close(socket: WebSocket, why: ConsoleCloseReason): void {
    closeSocket(socket, why, { clock: this.#parts.clock, closeMs: this.#parts.limits.closeMs })
  }
}
