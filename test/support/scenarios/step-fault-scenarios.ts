import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type FailpointRule, planFailpoints } from '../../../server/src/runtime/failpoint.ts'

/** A fault before or after one step of a reconciler. */
export type StepFault = FailpointRule & Required<Pick<FailpointRule, 'where'>>

/** All faults of the steps that do not end the process. */
export const stepFaultsOf = (kinds: readonly OperationKind[]): StepFault[] =>
  allStepFailpoints(kinds).flatMap((at) => [
    { at, where: 'before', do: 'error', nth: 1 },
    { at, where: 'after', do: 'error', nth: 1 },
    { at, where: 'before', do: 'repeat' },
  ])

interface FaultScenario {
  faults: StepFault[]
  /** The faults as text, for the title of the test. */
  title: string
}

/**
 * Distributes the faults over as few objects as possible. Each object has at most one fault in each
 * of its operations, so that no fault hides another.
 */
export function stepFaultScenarios(kinds: readonly OperationKind[]): FaultScenario[] {
  const byKind = kinds.map((kind) => stepFaultsOf([kind]))
  const count = Math.max(...byKind.map(({ length }) => length))
  return Array.from({ length: count }, (_, index) => {
    const faults = byKind.flatMap((each) => each[index] ?? [])
    return {
      faults,
      title: faults.map(({ at, where, do: what }) => `${what} ${where} ${at}`).join(', '),
    }
  })
}

export const pointsOf = (kinds: readonly OperationKind[]): string[] =>
  allStepFailpoints(kinds)
    .flatMap((name) => [`${name} after`, `${name} before`])
    .sort()

type Known = ReturnType<typeof Promise.withResolvers<null>>

/** Runs objects concurrently, each with faults of its own. */
export class StepFaultScenarios {
  readonly #rules: FailpointRule[] = []
  readonly #arrivals = new Map<string, string[]>()
  readonly #known = new Map<string, Known>()

  /** Records only steps of these kinds, because an object may create objects of other kinds. */
  constructor(kinds?: readonly OperationKind[]) {
    const points = new Set(allStepFailpoints(kinds))
    planFailpoints({
      rules: this.#rules,
      onArrival: async (name, where, subject) => {
        // A reconcile that began before the plan has no subject.
        if (subject === '' || !points.has(name)) return
        await this.#knownOf(subject).promise
        this.arrivalsOf(subject).push(`${name} ${where}`)
      },
    })
  }

  /** Creates an object. Its steps wait until its faults are planned. */
  async begin(faults: readonly FailpointRule[], begin: () => Promise<string>): Promise<string> {
    const id = await begin()
    this.#rules.push(...faults.map((fault) => ({ ...fault, of: id })))
    this.#knownOf(id).resolve(null)
    return id
  }

  /** The failpoints that the object has reached, with repetitions. */
  arrivalsOf(id: string): string[] {
    const arrivals = this.#arrivals.get(id) ?? []
    this.#arrivals.set(id, arrivals)
    return arrivals
  }

  /**
   * True when the object reached the fault. After an error before a step, the retry is a second
   * arrival. A repeated step is one arrival.
   */
  isMet(id: string, { at, where, do: what }: StepFault): boolean {
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
