/** Selects reconciles by controller and key. */
export interface GatePattern {
  /** The controller's name; undefined matches all. */
  controller?: string
  /** `namespace/name`; undefined matches all. */
  key?: string
}

interface Failing extends GatePattern {
  left: number
}

export type GateDecision = 'open' | 'held' | 'fails'

/**
 * Decides whether a reconcile may run, so that a test can stop the cluster between any two steps of
 * a controller.
 */
export class Gates {
  #held: GatePattern[] = []
  #failing: Failing[] = []
  readonly #waiting = new Map<() => void, GatePattern>()

  hold(pattern: GatePattern): void {
    this.#held.push(pattern)
  }

  /** Makes the next reconciles fail. Controllers retry them as after any error. */
  fail(pattern: GatePattern, times: number): void {
    this.#failing.push({ ...pattern, left: times })
  }

  /** Releases the held reconciles that match the pattern; an empty pattern releases all. */
  release({ controller, key }: GatePattern): void {
    const isMeant = (each: GatePattern): boolean =>
      (controller === undefined || each.controller === controller) &&
      (key === undefined || each.key === key)
    this.#held = this.#held.filter((each) => !isMeant(each))
    this.#failing = this.#failing.filter((each) => !isMeant(each))
    const free = [...this.#waiting].filter(
      ([, waiting]) => !this.#held.some((each) => covers(each, waiting)),
    )
    for (const [reconcile] of free) {
      this.#waiting.delete(reconcile)
      reconcile()
    }
  }

  /** Decides on a reconcile; calls `whenReleased` later when it is held. */
  decide(reconcile: Required<GatePattern>, whenReleased: () => void): GateDecision {
    if (this.#held.some((each) => covers(each, reconcile))) {
      this.#waiting.set(whenReleased, reconcile)
      return 'held'
    }
    const failing = this.#failing.find((each) => each.left > 0 && covers(each, reconcile))
    if (!failing) return 'open'
    failing.left -= 1
    return 'fails'
  }
}

const covers = (gate: GatePattern, { controller, key }: GatePattern): boolean =>
  (gate.controller === undefined || gate.controller === controller) &&
  (gate.key === undefined || gate.key === key)
