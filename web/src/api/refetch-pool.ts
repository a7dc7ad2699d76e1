import type { Clock } from '../runtime/clock.ts'

const batchMs = 60

/**
 * Refetches the queries that listen to a kind when a row of that kind changes. A burst of a hundred
 * changes causes one refetch of each query.
 */
export class RefetchPool<Kind extends string> {
  readonly #listeners = new Set<{ kinds: ReadonlySet<Kind>; refetch: () => void }>()
  readonly #due = new Set<() => void>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  listen(kinds: readonly Kind[], refetch: () => void): () => void {
    const entry = { kinds: new Set(kinds), refetch }
    this.#listeners.add(entry)
    return () => {
      this.#listeners.delete(entry)
      this.#due.delete(refetch)
    }
  }

  invalidate(kinds: readonly Kind[] | 'all') {
    const wasIdle = this.#due.size === 0
    for (const { kinds: listenedKinds, refetch } of this.#listeners) {
      if (kinds === 'all' || kinds.some((kind) => listenedKinds.has(kind))) this.#due.add(refetch)
    }
    if (wasIdle && this.#due.size > 0) this.#clock.after(batchMs, () => this.#flush())
  }

  #flush() {
    const now = [...this.#due]
    this.#due.clear()
    for (const refetch of now) refetch()
  }
}
