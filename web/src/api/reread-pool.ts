import type { Clock } from '../runtime/clock.ts'

const gatherMs = 60

/**
 * Who reads again when something of a kind changed. A burst of a hundred changes is one reading
 * each.
 */
export class RereadPool<Kind extends string> {
  readonly #listeners = new Set<{ kinds: ReadonlySet<Kind>; reread: () => void }>()
  readonly #due = new Set<() => void>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  listen(kinds: readonly Kind[], reread: () => void): () => void {
    const entry = { kinds: new Set(kinds), reread }
    this.#listeners.add(entry)
    return () => {
      this.#listeners.delete(entry)
      this.#due.delete(reread)
    }
  }

  touch(kinds: readonly Kind[] | 'all') {
    const wasIdle = this.#due.size === 0
    for (const { kinds: wanted, reread } of this.#listeners) {
      if (kinds === 'all' || kinds.some((kind) => wanted.has(kind))) this.#due.add(reread)
    }
    if (wasIdle && this.#due.size > 0) this.#clock.after(gatherMs, () => this.#flush())
  }

  #flush() {
    const now = [...this.#due]
    this.#due.clear()
    for (const reread of now) reread()
  }
}
