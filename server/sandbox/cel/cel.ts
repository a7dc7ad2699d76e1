import {
  Environment,
  EvaluationError,
  type ParseResult,
  ParseError,
  TypeError as TypeCheckError,
} from '@marcbachmann/cel-js'
import { type Json, isMap } from '../objects/types.ts'

/*
 * CEL as ValidatingAdmissionPolicies use it: the language of cel-js with the functions that
 * Kubernetes adds, on objects as JSON has them. A variable may be worked out when it is first read.
 */

/** A value of CEL: JSON with whole numbers as `bigint`. */
export type CelValue = null | boolean | number | bigint | string | CelValue[] | CelMap
export interface CelMap {
  [key: string]: CelValue
}

/** An expression that passed its check. Throws the error of the library. */
export type Expression = (known: CelMap) => CelValue

/** The API server refuses the expression when it is written. */
export class CelRefused extends Error {
  constructor(at: number, why: string) {
    super(`ERROR: <input>:1:${at + 1}: ${why}`)
    this.name = 'CelRefused'
  }
}

/** The expression came to no value. */
export class CelFailed extends Error {
  constructor(error: EvaluationError | TypeCheckError) {
    super(failureText(error.message), { cause: error })
    this.name = 'CelFailed'
  }
}

const environment = new Environment({ homogeneousAggregateLiterals: false }).registerFunction(
  'string.findAll(string): list<string>',
  (text: string, pattern: string) => text.match(new RegExp(pattern, 'gu')) ?? [],
)

/** Compiles an expression that may use these names; throws `CelRefused`. */
export function compileCel(source: string, names: readonly string[]): Expression {
  const declared = environment.clone()
  for (const name of names) declared.registerVariable(name, 'dyn')
  const parsed = parse(declared, withPatternsOfNode(source))
  const { error } = parsed.check()
  if (error) throw new CelRefused(error.range?.start ?? 0, refusalText(error.message))
  return parsed
}

/** Throws `CelFailed` where CEL has no answer, such as for a key that is not there. */
export function evaluate(expression: Expression, known: CelMap): CelValue {
  try {
    return expression(known)
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof TypeCheckError)
      throw new CelFailed(error)
    throw error
  }
}

export function celValue(value: Json): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(celValue)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      each === undefined ? [] : [[key, celValue(each)]],
    ),
  )
}

function parse(declared: Environment, source: string): ParseResult {
  try {
    return declared.parse(source)
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw new CelRefused(error.range?.start ?? 0, `Syntax error: ${firstLine(error.message)}`)
  }
}

/** Kubernetes takes patterns of RE2, where a flag stands before the pattern. */
const withPatternsOfNode = (source: string): string =>
  source.replaceAll(
    /\.(matches|findAll)\((\s*r?(["']))\(\?i\)((?:\\.|(?!\3).)*)\3/g,
    '.$1($2(?i:$4)$3',
  )

/** The library shows the source below its sentence. */
const firstLine = (message: string): string => message.split('\n')[0] ?? ''

/** The sentence as the API server says it. */
const refusalText = (message: string): string =>
  firstLine(message).replace(
    /^Unknown variable: (.*)$/,
    "undeclared reference to '$1' (in container '')",
  )

const failureText = (message: string): string =>
  firstLine(message)
    .replace(/^No such key: index out of bounds, index (\d+).*$/, 'index out of bounds: $1')
    .replace(/^No such key: /, 'no such key: ')
    .replace(/^no such overload: .*$/, 'no such overload')
