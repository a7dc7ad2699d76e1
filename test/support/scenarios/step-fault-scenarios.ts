import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type FailpointRule, planFailpoints } from '../../../server/src/runtime/failpoint.ts'

export type Trouble = FailpointRule & Required<Pick<FailpointRule, 'where'>>

/** Everything that can befall a step without ending the process. */
export const troublesOf = (kinds: readonly OperationKind[]): Trouble[] =>
  allStepPoints(kinds).flatMap((at) => [
    { at, where: 'before', do: 'error', nth: 1 },
    { at, where: 'after', do: 'error', nth: 1 },
    { at, where: 'before', do: 'repeat' },
  ])

/**
 * The same spread over as few lives as can be: each has at most one trouble in each of its
 * operations, so none hides another.
 */
export function livesOfTrouble(
  kinds: readonly OperationKind[],
): { troubles: Trouble[]; told: string }[] {
  const byKind = kinds.map((kind) => troublesOf([kind]))
  const count = Math.max(...byKind.map(({ length }) => length))
  return Array.from({ length: count }, (_, index) => {
    const troubles = byKind.flatMap((each) => each[index] ?? [])
    return {
      troubles,
      told: troubles.map(({ at, where, do: what }) => `${what} ${where} ${at}`).join(', '),
    }
  })
}

export const pointsOf = (kinds: readonly OperationKind[]): string[] =>
  allStepPoints(kinds)
    .flatMap((name) => [`${name} after`, `${name} before`])
    .sort()

type Known = ReturnType<typeof Promise.withResolvers<null>>

/** Objects that live side by side, each with trouble of its own. */
export class TroubledLives {
  readonly #rules: FailpointRule[] = []
  readonly #arrivals = new Map<string, string[]>()
  readonly #known = new Map<string, Known>()

  /** Of other kinds than these nobody asks whose step it is: an object may bring others along. */
  constructor(kinds?: readonly OperationKind[]) {
    const points = new Set(allStepPoints(kinds))
    planFailpoints({
      rules: this.#rules,
      seen: async (name, where, subject) => {
        // A run that began before the plan is of nobody's.
        if (subject === '' || !points.has(name)) return
        await this.#knownOf(subject).promise
        this.arrivalsOf(subject).push(`${name} ${where}`)
      },
    })
  }

  /** No step of the object is taken before its trouble is planned. */
  async begin(troubles: readonly FailpointRule[], begin: () => Promise<string>): Promise<string> {
    const id = await begin()
    this.#rules.push(...troubles.map((trouble) => ({ ...trouble, of: id })))
    this.#knownOf(id).resolve(null)
    return id
  }

  /** The points that the object came by, each as often as it did. */
  arrivalsOf(id: string): string[] {
    const arrivals = this.#arrivals.get(id) ?? []
    this.#arrivals.set(id, arrivals)
    return arrivals
  }

  /**
   * Whether the trouble was met by the object. An error is met once and the step is taken again; a
   * step taken twice is one arrival.
   */
  isMet(id: string, { at, where, do: what }: Trouble): boolean {
    const met = this.arrivalsOf(id).filter((arrival) => arrival === `${at} ${where}`).length
    return met >= (what === 'error' && where === 'before' ? 2 : 1)
  }

  [Symbol.dispose](): void {
    planFailpoints(null)
    for (const { resolve } of this.#known.values()) resolve(null)
  }

  #knownOf(id: string): Known {
    const known = this.#known.get(id) ?? Promise.withResolvers<null>()
    this.#known.set(id, known)
    return known
  }
}
