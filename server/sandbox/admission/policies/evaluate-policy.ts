import {
  CelEvaluationError,
  type CelMap,
  type CelValue,
  type Expression,
  compileCel,
  evaluate,
} from '../../cel/cel.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { celNames } from './names.ts'

/** The reason why a policy refuses an object. */
export interface Verdict {
  message: string
  reason: string
}

/**
 * Returns the first validation of the policy that fails for these variables. Null when all hold, or
 * when a match condition excludes the object.
 */
export function evaluatePolicy(policy: KubeObject, known: CelMap): Verdict | null {
  const { conditions, variables, validations } = programOf(policy)
  const scope = scopeOf(known, variables)
  try {
    if (!conditions.every((condition) => evaluate(condition.expression, scope) === true))
      return null
  } catch (error) {
    return failureOf(policy, error, 'matchConditions')
  }
  for (const validation of validations) {
    const verdict = verdictOf(policy, validation, scope)
    if (verdict) return verdict
  }
  return null
}

interface Compiled {
  source: string
  expression: Expression
}

interface Validation extends Compiled {
  message: string
  messageExpression: Expression | null
  reason: string
}

interface Program {
  conditions: Compiled[]
  variables: ReadonlyMap<string, Expression>
  validations: Validation[]
}

/** Compiled policies. A stored object never changes in place, so each version compiles once. */
const programs = new WeakMap<KubeObject, Program>()

function programOf(policy: KubeObject): Program {
  const known = programs.get(policy)
  if (known) return known
  const program: Program = {
    conditions: dig.list(policy, 'spec.matchConditions').map(compiled),
    variables: new Map(
      dig
        .list(policy, 'spec.variables')
        .map((each) => [dig.text(each, 'name'), compiled(each).expression]),
    ),
    validations: dig.list(policy, 'spec.validations').map(validationIn),
  }
  programs.set(policy, program)
  return program
}

const names = [...celNames, 'variables']

function compiled(holder: Json): Compiled {
  const source = dig.text(holder, 'expression')
  return { source, expression: compileCel(source, names) }
}

function validationIn(holder: Json): Validation {
  const messageSource = dig.text(holder, 'messageExpression')
  const { source, expression } = compiled(holder)
  return {
    source,
    expression,
    message: dig.text(holder, 'message') || `failed expression: ${source.trim()}`,
    messageExpression: messageSource === '' ? null : compileCel(messageSource, names),
    reason: dig.text(holder, 'reason') || 'Invalid',
  }
}

/** The names that expressions may use. A variable is evaluated when it is first read. */
function scopeOf(known: CelMap, expressions: ReadonlyMap<string, Expression>): CelMap {
  const variables: CelMap = {}
  const scope: CelMap = { ...known, variables }
  for (const [name, expression] of expressions) {
    let value: CelValue | undefined
    Object.defineProperty(variables, name, {
      enumerable: true,
      get: () => (value ??= expression(scope)),
    })
  }
  return scope
}

function verdictOf(policy: KubeObject, validation: Validation, scope: CelMap): Verdict | null {
  try {
    if (evaluate(validation.expression, scope) === true) return null
  } catch (error) {
    return failureOf(policy, error, `expression '${validation.source}'`)
  }
  return { message: messageOf(validation, scope), reason: validation.reason }
}

function messageOf({ message, messageExpression }: Validation, scope: CelMap): string {
  if (!messageExpression) return message
  try {
    const messageSource = evaluate(messageExpression, scope)
    return typeof messageSource === 'string' && messageSource.trim() !== ''
      ? messageSource
      : message
  } catch (error) {
    if (error instanceof CelEvaluationError) return message
    throw error
  }
}

function failureOf(policy: KubeObject, error: unknown, what: string): Verdict | null {
  if (!(error instanceof CelEvaluationError)) throw error
  if (dig.text(policy, 'spec.failurePolicy') === 'Ignore') return null
  return { message: `${what} resulted in error: ${error.message}`, reason: 'Invalid' }
}
