import { Fault, type FaultField } from './fault.ts'
import { invalidInput } from './invalid-input.ts'

type Checks = Readonly<Record<string, () => unknown>>
type Values<C extends Checks> = { [Name in keyof C]: ReturnType<C[Name]> }

/**
 * Returns the values of independent checks of an input, and refuses it with the problems of all of
 * them.
 */
export function requireAll<C extends Checks>(checks: C): Values<C> {
  const problems: FaultField[] = []
  const values = Object.entries(checks).map(([name, check]) => [name, valueOf(check, problems)])
  if (problems.length > 0) throw invalidInput(problems)
  // Each name of the checks has the value of its check.
  return Object.fromEntries(values) as Values<C>
}

function valueOf(check: () => unknown, problems: FaultField[]): unknown {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'invalid_input') throw error
    problems.push(...error.fields)
    return undefined
  }
}
