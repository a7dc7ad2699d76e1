import { type OperationKind, allStepPoints } from '../../server/src/domain/operation/kind.ts'
import { type FailpointRule, planFailpoints } from '../../server/src/runtime/failpoint.ts'

export type Trouble = FailpointRule & Required<Pick<FailpointRule, 'where'>>

/** Everything that can befall a step without ending the process. */
export const troublesOf = (kinds: readonly OperationKind[]): Trouble[] =>
  allStepPoints(kinds).flatMap((at) => [
    { at, where: 'before', do: 'error', nth: 1 },
    { at, where: 'after', do: 'error', nth: 1 },
    { at, where: 'before', do: 'repeat' },
  ])

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

  constructor() {
    planFailpoints({
      rules: this.#rules,
      seen: async (name, where, subject) => {
        // A run that began before the plan is of nobody's.
        if (subject === '') return
        await this.#knownOf(subject).promise
        this.arrivalsOf(subject).push(`${name} ${where}`)
      },
    })
  }

  /** No step of the object is taken before its trouble is planned. */
  async begin(trouble: FailpointRule | null, begin: () => Promise<string>): Promise<string> {
    const id = await begin()
    if (trouble) this.#rules.push({ ...trouble, of: id })
    this.#knownOf(id).resolve(null)
    return id
  }

  /** The points that the object came by, each as often as it did. */
  arrivalsOf(id: string): string[] {
    const arrivals = this.#arrivals.get(id) ?? []
    this.#arrivals.set(id, arrivals)
    return arrivals
  }

  /** How often the trouble of the object was met. An error is met once and the step is taken again; a step taken twice is one arrival. */
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
