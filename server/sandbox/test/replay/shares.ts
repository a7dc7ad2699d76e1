import { isOtherAnswer } from './compare.ts'
import { type Case } from './cases.ts'

export interface Share {
  area: string
  cases: number
  /** Those with the same status, reason, causes, and sentence of a refusal. */
  answered: number
  /** Those whose answers are the recorded ones to the last field. */
  whole: number
  /** Of the cases, so many must be answered the same. */
  wanted: number
}

// Their recordings hold many sentences that one validator or one table printer alone produces.
const hardAreas = new Set(['vm-reject', 'dv-reject', 'table', 'migration'])
const wantedOf = (area: string): number => (hardAreas.has(area) ? 0.75 : 0.97)

export function sharesOf(
  cases: readonly Case[],
  differing: ReadonlyMap<string, string[]>,
): Share[] {
  const isAnswered = ({ id, response }: Case): boolean =>
    !differing.get(id)?.some((found) => isOtherAnswer(response, found))
  return [...new Set(cases.map(({ area }) => area))].map((area) => {
    const taken = cases.filter((each) => each.area === area)
    return {
      area,
      cases: taken.length,
      answered: taken.filter(isAnswered).length,
      whole: taken.filter(({ id }) => !differing.has(id)).length,
      wanted: wantedOf(area),
    }
  })
}

export const isEnough = ({ cases, answered, wanted }: Share): boolean => answered >= cases * wanted
