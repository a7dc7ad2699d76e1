import type { Clock } from './clock.ts'

/** A clock for tests. Its time moves only when `pass` is called. */
export class FakeClock implements Clock {
  #nowMs = 1_000_000
  readonly #due: { atMs: number; run: () => void }[] = []

  now() {
    return this.#nowMs
  }

  after(delayMs: number, run: () => void) {
    const entry = { atMs: this.#nowMs + delayMs, run }
    this.#due.push(entry)
    return () => {
      const at = this.#due.indexOf(entry)
      if (at >= 0) this.#due.splice(at, 1)
    }
  }

  pass(ms: number) {
    const endMs = this.#nowMs + ms
    for (;;) {
      const next = this.#due.toSorted((one, other) => one.atMs - other.atMs)[0]
      if (!next || next.atMs > endMs) break
      this.#due.splice(this.#due.indexOf(next), 1)
      this.#nowMs = next.atMs
      next.run()
    }
    this.#nowMs = endMs
  }
}
