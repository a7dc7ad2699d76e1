import { type Ref, ref } from 'vue'
import type { Clock } from '../runtime/clock.ts'
import { type ChangeKind, changesDocument } from './changes.ts'
import { RereadPool } from './reread-pool.ts'
import type { Socket } from './socket.ts'

/*
 * Keeps the page true. One subscription hears every change as an identity; the queries on screen
 * that listen to its kind read again. A lost connection resumes after the last cursor; a gap, or a
 * connection that stays away, makes everything read again. The feed never carries values, so
 * nothing on screen comes from anywhere but a query made as the viewer.
 */

export interface Freshness {
  state: 'connecting' | 'live' | 'reconnecting' | 'stale'
  sinceMs: number
}

interface Parts {
  clock: Clock
  socket: Socket
  renew: () => Promise<boolean>
}

const forgiveMs = 1_500
const staleAfterMs = 10_000
const pollMs = 5_000
const longestWaitMs = 8_000

export class ChangeFeed {
  readonly freshness: Ref<Freshness>
  readonly #parts: Parts
  readonly #pool: RereadPool<ChangeKind>
  #cursor: string | null = null
  #attempt = 0
  #lostAtMs: number | null = null
  #hangUp: (() => void) | null = null
  #timers: (() => void)[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.#pool = new RereadPool(parts.clock)
    this.freshness = ref({ state: 'connecting', sinceMs: parts.clock.now() })
  }

  /** Calls back when something of these kinds may have changed; the answer ends it. */
  listen(kinds: readonly ChangeKind[], reread: () => void): () => void {
    return this.#pool.listen(kinds, reread)
  }

  /** What an own action changed is read again at once, socket or not. */
  touch(kinds: readonly ChangeKind[] | 'all') {
    this.#pool.touch(kinds)
  }

  /**
   * After the cursor that came with what the page shows first: what has changed since is heard of.
   */
  start(after: string | null = null) {
    this.#cursor ??= after
    if (!this.#hangUp) this.#open()
  }

  stop() {
    this.#callOffTimers()
    this.#hangUp?.()
    this.#hangUp = null
    this.#cursor = null
    this.#lostAtMs = null
    this.#show('connecting')
  }

  /** The network came back, or the page did: no reason to wait out the pause. */
  hurry() {
    if (this.#hangUp || this.#timers.length === 0) return
    this.#attempt = 0
    this.#open()
  }

  #open() {
    this.#hangUp = this.#parts.socket.subscribe(
      { document: changesDocument, variables: { after: this.#cursor } },
      {
        up: () => this.#up(),
        next: ({ changes }) => {
          this.#cursor = changes.cursor
          this.#pool.touch(changes.gap || !changes.kind ? 'all' : [changes.kind])
        },
        refused: () => (this.#cursor = null),
        down: (closeCode) => this.#down(closeCode),
      },
    )
  }

  #up() {
    this.#attempt = 0
    this.#lostAtMs = null
    this.#callOffTimers()
    // Nothing tells what was missed by who does not know where it stood.
    if (this.freshness.value.state === 'stale' || this.#cursor === null) this.#pool.touch('all')
    this.#show('live')
  }

  #down(closeCode: number | null) {
    this.#hangUp = null
    this.#callOffTimers()
    const { clock } = this.#parts
    const lostAtMs = (this.#lostAtMs ??= clock.now())
    const awayMs = clock.now() - lostAtMs
    // A connection that is back within a moment was never worth a word.
    this.#later(
      forgiveMs - awayMs,
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
    this.#pool.touch('all')
    this.#later(pollMs, () => this.#poll(lostAtMs))
  }

  async #reconnect(closeCode: number | null) {
    if (closeCode === 4401 && (await this.#parts.renew().catch(() => null)) === false) return
    this.start()
  }

  #show(state: Freshness['state'], sinceMs = this.#parts.clock.now()) {
    this.freshness.value = { state, sinceMs }
  }

  #later(delayMs: number, run: () => void) {
    this.#timers.push(this.#parts.clock.after(Math.max(0, delayMs), run))
  }

  #callOffTimers() {
    for (const callOff of this.#timers.splice(0)) callOff()
  }
}
