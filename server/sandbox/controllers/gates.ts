/** Which looks of which controller are stopped. */
export interface GatePattern {
  /** The controller's name; left out for all. */
  controller?: string
  /** `namespace/name`; left out for all. */
  key?: string
}

interface Failing extends GatePattern {
  left: number
}

export type Passage = 'open' | 'held' | 'fails'

/**
 * Stands before every look of a controller, so that a test can stop the cluster between any two of
 * its steps.
 */
export class Gates {
  #held: GatePattern[] = []
  #failing: Failing[] = []
  readonly #waiting = new Map<() => void, GatePattern>()

  hold(pattern: GatePattern): void {
    this.#held.push(pattern)
  }

  /** The next looks end in an error, and are tried again as after any error. */
  fail(pattern: GatePattern, times: number): void {
    this.#failing.push({ ...pattern, left: times })
  }

  /** Lets go what was held under the same name and key; without either, everything. */
  release({ controller, key }: GatePattern): void {
    const isMeant = (each: GatePattern): boolean =>
      (controller === undefined || each.controller === controller) &&
      (key === undefined || each.key === key)
    this.#held = this.#held.filter((each) => !isMeant(each))
    this.#failing = this.#failing.filter((each) => !isMeant(each))
    const free = [...this.#waiting].filter(
      ([, waiting]) => !this.#held.some((each) => covers(each, waiting)),
    )
    for (const [look] of free) {
      this.#waiting.delete(look)
      look()
    }
  }

  /** Whether the look may be made now; one that is held is called when it may. */
  pass(look: Required<GatePattern>, whenReleased: () => void): Passage {
    if (this.#held.some((each) => covers(each, look))) {
      this.#waiting.set(whenReleased, look)
      return 'held'
    }
    const failing = this.#failing.find((each) => each.left > 0 && covers(each, look))
    if (!failing) return 'open'
    failing.left -= 1
    return 'fails'
  }
}

const covers = (gate: GatePattern, { controller, key }: GatePattern): boolean =>
  (gate.controller === undefined || gate.controller === controller) &&
  (gate.key === undefined || gate.key === key)
