import { type WebSocket, WebSocketServer } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Metrics } from '../../runtime/metrics/metrics.ts'
import { Census } from './connection-limiter.ts'
import { type ConsoleClosing, ConsoleVisitor, type Visit, closeSocket } from './console-session.ts'
import { type Upgrade, type Upgrades, refuseUpgrade } from './upgrade.ts'

/** What consoles may cost. */
export interface ConsoleLimits {
  /** Of one message from a visitor: a paste comes as one. */
  messageBytes: number
  /** Sockets whose ticket has not been looked at yet. */
  strangers: number
  socketsPerUser: number
  socketsPerTenant: number
  /** A peer that gives no sign of life between two pings is gone. */
  pingMs: number
  recheckMs: number
  /** How long a console may be open with nothing going either way. */
  idleMs: number
  closeMs: number
}

export const consoleLimits: ConsoleLimits = {
  messageBytes: 1024 * 1024,
  strangers: 100,
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
  /** Looks at the ticket; answers why not where there is nothing to visit. */
  admit: (upgrade: Upgrade) => Promise<Visit | ConsoleClosing>
  clock: Clock
  log: Log
  metrics: Metrics
  limits?: Partial<ConsoleLimits>
}

export interface ConsoleSocket {
  sockets(): number
  /**
   * Looks at every visitor's rights now, for whoever hears that some were taken away; it happens
   * every few seconds anyway.
   */
  recheck(): Promise<void>
  stop(): Promise<void>
}

const protocols = ['plain.kubevirt.io', 'binary'] as const

const firstSpoken = (offered: ReadonlySet<string>): string | false =>
  protocols.find((each) => offered.has(each)) ?? false

/**
 * The door to consoles and screens of VMs. Who may come in is decided by the ticket that the
 * address carries, and looked at again and again.
 */
export function openConsoleSocket({ limits: asked, ...parts }: ConsoleSocketParts): ConsoleSocket {
  const { upgrades, path, clock, metrics } = parts
  const limits = { ...consoleLimits, ...asked }
  const hall = new Hall({ ...parts, limits })
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: firstSpoken,
  })
  const remove = upgrades.add((upgrade) => {
    if (upgrade.url.pathname !== path) return false
    if (hall.strangers >= limits.strangers) refuseUpgrade(upgrade.stream, 503)
    else
      acceptor.handleUpgrade(
        upgrade.request,
        upgrade.stream,
        upgrade.head,
        (socket) => void hall.receive(socket, upgrade),
      )
    return true
  })
  const pings = clock.every(limits.pingMs, () => hall.visitors.forEach((visitor) => visitor.ping()))
  const rechecks = clock.every(limits.recheckMs, () => hall.recheck())
  metrics.gauge('berth_console_sockets', 'Open consoles and screens.', () => hall.visitors.size)
  return {
    sockets: () => hall.visitors.size,
    recheck: () => hall.recheck(),
    async stop() {
      remove()
      await Promise.all([pings.stop(), rechecks.stop(), hall.clear()])
    },
  }
}

type HallParts = Omit<ConsoleSocketParts, 'limits'> & { limits: ConsoleLimits }

/** Everybody who is at a console of this replica, and where. */
class Hall {
  readonly visitors = new Set<ConsoleVisitor>()
  strangers = 0
  readonly #parts: HallParts
  readonly #seats = new Map<string, ConsoleVisitor>()
  readonly #census: Census
  readonly #running = new Set<Promise<void>>()

  constructor(parts: HallParts) {
    this.#parts = parts
    this.#census = new Census(parts.limits)
  }

  async receive(socket: WebSocket, upgrade: Upgrade): Promise<void> {
    // Whatever breaks a connection closes it too, and the close is what counts.
    socket.on('error', () => undefined)
    // What comes before the line is open waits in the network.
    socket.pause()
    const visiting = this.#visit(socket, upgrade).catch((error: unknown) => {
      this.#parts.log.error('a console failed', { error })
      this.#close(socket, 'internal')
    })
    this.#running.add(visiting)
    await visiting
    this.#running.delete(visiting)
  }

  async recheck(): Promise<void> {
    for (const visitor of [...this.visitors]) {
      const standing = await visitor.visit.standing().catch((error: unknown) => {
        // Nothing is known against the visitor; the next round asks again.
        this.#parts.log.warn('a visitor could not be looked up again', { error })
        return 'good' as const
      })
      if (standing !== 'good') visitor.end(standing === 'ended' ? 'unauthorized' : 'forbidden')
    }
  }

  async clear(): Promise<void> {
    for (const visitor of this.visitors) visitor.end('goingAway')
    await Promise.all(this.#running)
  }

  async #visit(socket: WebSocket, upgrade: Upgrade): Promise<void> {
    const visit = await this.#admitted(upgrade)
    if (typeof visit === 'string') return this.#close(socket, visit)
    if (!this.#census.enter(visit)) return this.#close(socket, 'tooMany')
    const visitor = new ConsoleVisitor({
      socket,
      visit,
      limits: this.#parts.limits,
      clock: this.#parts.clock,
    })
    this.visitors.add(visitor)
    try {
      await visitor.run(() => this.#seat(visitor))
    } finally {
      this.visitors.delete(visitor)
      if (this.#seats.get(visit.seat) === visitor) this.#seats.delete(visit.seat)
      this.#census.leave(visit)
    }
  }

  async #admitted(upgrade: Upgrade): Promise<Visit | ConsoleClosing> {
    this.strangers += 1
    try {
      return await this.#parts.admit(upgrade)
    } finally {
      this.strangers -= 1
    }
  }

  /** The cluster has thrown the former one out by now, without a word. */
  #seat(visitor: ConsoleVisitor): void {
    this.#seats.get(visitor.visit.seat)?.end('taken')
    this.#seats.set(visitor.visit.seat, visitor)
  }

  #close(socket: WebSocket, why: ConsoleClosing): void {
    closeSocket(socket, why, { clock: this.#parts.clock, closeMs: this.#parts.limits.closeMs })
  }
}
