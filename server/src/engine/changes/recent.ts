import { type Change } from '../model/change.ts'
import { type Position, isAfter } from '../model/cursor.ts'
import { type Page, type PlacedChange } from './tail.ts'

/**
 * The last changes that were told: who comes back soon learns from them that nothing was missed,
 * and the log need not be read for it.
 */
export class Recent {
  readonly #limit: number
  #kept: PlacedChange[] = []
  /** All changes behind it that were told are kept. */
  #from: Position | null = null

  constructor(limit: number) {
    this.#limit = limit
  }

  add(page: Page): void {
    if (page.gap || !this.#from) {
      this.#kept = []
      this.#from = page.position
      return
    }
    this.#kept.push(...page.changes)
    // Room for as many again, so that not every change moves all the others.
    if (this.#kept.length <= 2 * this.#limit) return
    this.#from = this.#kept.at(-this.#limit - 1)?.at ?? this.#from
    this.#kept = this.#kept.slice(-this.#limit)
  }

  /**
   * Whether one of those was told after the position; also when that is longer ago than they reach.
   */
  mayHold(after: Position, wants: (change: Change) => boolean): boolean {
    if (!this.#from || isAfter(this.#from, after)) return true
    for (let index = this.#kept.length - 1; index >= 0; index -= 1) {
      const placed = this.#kept[index]
      if (!placed || !isAfter(placed.at, after)) return false
      if (wants(placed.change)) return true
    }
    return false
  }
}
