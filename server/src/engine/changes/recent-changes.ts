import { type Change } from '../model/change.ts'
import { type Position, isAfter } from '../model/cursor.ts'
import { type Page, type LogEntry } from './tail.ts'

/**
 * The most recent published changes. A client that reconnects soon learns from them that it missed
 * nothing, without a read of the log.
 */
export class RecentChanges {
  readonly #limit: number
  #retained: LogEntry[] = []
  /** All published changes after this position are retained. */
  #start: Position | null = null

  constructor(limit: number) {
    this.#limit = limit
  }

  add(page: Page): void {
    if (page.gap || !this.#start) {
      this.#retained = []
      this.#start = page.position
      return
    }
    this.#retained.push(...page.changes)
    // The array may grow to twice the limit, so that not every change moves all entries.
    if (this.#retained.length <= 2 * this.#limit) return
    this.#start = this.#retained.at(-this.#limit - 1)?.at ?? this.#start
    this.#retained = this.#retained.slice(-this.#limit)
  }

  /**
   * True when a matching change may have been published after the position. It is also true for a
   * position that is older than the retained changes.
   */
  mayContain(after: Position, matches: (change: Change) => boolean): boolean {
    if (!this.#start || isAfter(this.#start, after)) return true
    for (let index = this.#retained.length - 1; index >= 0; index -= 1) {
      const entry = this.#retained[index]
      if (!entry || !isAfter(entry.at, after)) return false
      if (matches(entry.change)) return true
    }
    return false
  }
}
