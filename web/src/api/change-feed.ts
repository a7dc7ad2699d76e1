import { type Ref, ref } from 'vue'
import type { Clock } from '../runtime/clock.ts'
import { type ChangeKind, changesDocument } from './changes.ts'
import { RefetchPool } from './refetch-pool.ts'
import type { Socket } from './socket.ts'

/*
 * Keeps the page current. One subscription receives every change as an identity, and the queries
 * on screen that listen to its kind refetch. A lost connection resumes after the last cursor. After
 * a gap or a long loss, every query refetches. The feed carries no values, so everything on screen
 * comes from a query that ran with the viewer's permissions.
 */

export interface Freshness {
  state: 'connecting' | 'live' | 'reconnecting' | 'stale'
  sinceMs: number
}

interface ChangeFeedOptions {
  clock: Clock
  socket: Socket
  renew: () => Promise<boolean>
}

const hideLossMs = 1_500
const staleAfterMs = 10_000
const pollMs = 5_000
const longestWaitMs = 8_000

export class ChangeFeed {
  readonly freshness: Ref<Freshness>
  readonly #options: ChangeFeedOptions
  readonly #pool: RefetchPool<ChangeKind>
  #cursor: string | null = null
  #attempt = 0
  #lostAtMs: number | null = null
  #disconnect: (() => void) | null = null
  #timers: (() => void)[] = []

  constructor(options: ChangeFeedOptions) {
    this.#options = options
    this.#pool = new RefetchPool(options.clock)
    this.freshness = ref({ state: 'connecting', sinceMs: options.clock.now() })
  }

  /**
   * Calls `refetch` when a row of these kinds may have changed. Returns a function that stops it.
   */
  listen(kinds: readonly ChangeKind[], refetch: () => void): () => void {
    return this.#pool.listen(kinds, refetch)
  }

  /** Refetches the rows that a mutation of this page changed, even without a connection. */
  invalidate(kinds: readonly ChangeKind[] | 'all') {
    this.#pool.invalidate(kinds)
  }

  /** Starts after the cursor of the page's first answer, so that no later change is missed. */
  start(after: string | null = null) {
    this.#cursor ??= after
    if (!this.#disconnect) this.#open()
  }

  stop() {
    this.#cancelTimers()
    this.#disconnect?.()
    this.#disconnect = null
    this.#cursor = null
    this.#lostAtMs = null
    this.#show('connecting')
  }

  /** Reconnects without delay. Call it when the network or the page becomes active again. */
  reconnectNow() {
    if (this.#disconnect || this.#timers.length === 0) return
    this.#attempt = 0
    this.#open()
  }

  #open() {
    this.#disconnect = this.#options.socket.subscribe(
      { document: changesDocument, variables: { after: this.#cursor } },
      {
        connected: () => this.#connected(),
        next: ({ changes }) => {
          this.#cursor = changes.cursor
          this.#pool.invalidate(changes.gap || !changes.kind ? 'all' : [changes.kind])
        },
        // A caller beyond its budget resumes after the same cursor.
        refused: ({ code }) => {
          if (code !== 'too_many_requests') this.#cursor = null
        },
        disconnected: (closeCode) => this.#disconnected(closeCode),
      },
    )
  }

  #connected() {
    this.#attempt = 0
    this.#lostAtMs = null
    this.#cancelTimers()
    // Without a cursor the server cannot tell which changes were missed.
    if (this.freshness.value.state === 'stale' || this.#cursor === null)
      this.#pool.invalidate('all')
    this.#show('live')
  }

  #disconnected(closeCode: number | null) {
    this.#disconnect = null
    this.#cancelTimers()
    const { clock } = this.#options
    const lostAtMs = (this.#lostAtMs ??= clock.now())
    const awayMs = clock.now() - lostAtMs
    // A loss of less than `hideLossMs` is never shown.
    this.#later(
      hideLossMs - awayMs,
      () => this.freshness.value.state !== 'stale' && this.#show('reconnecting', lostAtMs),
    )
    this.#later(staleAfterMs - awayMs, () => this.#poll(lostAtMs))
    this.#later(
      Math.min(longestWaitMs, 250 * 2 ** this.#attempt) * (0.75 + Math.random() / 2),
      () => void this.#reconnect(closeCode),
    )
    this.#attempt += 1
  }

  #poll(lostAtMs: number) {
    this.#show('stale', lostAtMs)
    this.#pool.invalidate('all')
    this.#later(pollMs, () => this.#poll(lostAtMs))
  }

  async #reconnect(closeCode: number | null) {
    if (closeCode === 4401 && (await this.#options.renew().catch(() => null)) === false) return
    this.start()
  }

  #show(state: Freshness['state'], sinceMs = this.#options.clock.now()) {
    this.freshness.value = { state, sinceMs }
  }

  #later(delayMs: number, run: () => void) {
    this.#timers.push(this.#options.clock.after(Math.max(0, delayMs), run))
  }

  #cancelTimers() {
    for (const cancelTimer of this.#timers.splice(0)) cancelTimer()
  }
}
