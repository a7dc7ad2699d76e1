import { isOtherAnswer } from './compare.ts'
import { type Case } from './cases.ts'

/** How many recorded requests of one area the sandbox answers as the real cluster did. */
export interface Share {
  area: string
  cases: number
  /** Cases with the same status, reason, causes and message of a refusal. */
  answered: number
  /** Cases with the same response in every field. */
  whole: number
  /** Required share of cases with the same response. */
  required: number
}

// Recordings of these areas contain many messages of a single validator or table printer.
const hardAreas = new Set(['vm-reject', 'dv-reject', 'table', 'migration'])
const requiredShareOf = (area: string): number => (hardAreas.has(area) ? 0.75 : 0.97)

/** Returns the share of each area. */
export function sharesOf(
  cases: readonly Case[],
  differing: ReadonlyMap<string, string[]>,
): Share[] {
  const isAnswered = ({ id, response }: Case): boolean =>
    !differing.get(id)?.some((found) => isOtherAnswer(response, found))
  return [...new Set(cases.map(({ area }) => area))].map((area) => {
    const areaCases = cases.filter((each) => each.area === area)
    return {
      area,
      cases: areaCases.length,
      answered: areaCases.filter(isAnswered).length,
      whole: areaCases.filter(({ id }) => !differing.has(id)).length,
      required: requiredShareOf(area),
    }
  })
}

/** True when the sandbox answers the required share of the area. */
export const isEnough = ({ cases, answered, required }: Share): boolean =>
  answered >= cases * required
