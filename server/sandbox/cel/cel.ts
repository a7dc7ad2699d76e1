import {
  Environment,
  EvaluationError,
  type ParseResult,
  ParseError,
  TypeError as TypeCheckError,
} from '@marcbachmann/cel-js'
import { type Json, isMap } from '../objects/types.ts'

/*
 * CEL as in ValidatingAdmissionPolicies: the language of cel-js with the functions that Kubernetes
 * adds, on JSON objects. A variable may be computed lazily.
 */

/** A CEL value: JSON with integers as `bigint`. */
export type CelValue = null | boolean | number | bigint | string | CelValue[] | CelMap
export interface CelMap {
  [key: string]: CelValue
}

/** A compiled expression. It throws the error of the library. */
export type Expression = (variables: CelMap) => CelValue

/** An invalid expression, which the API server refuses when it is written. */
export class CelCompileError extends Error {
  constructor(at: number, why: string) {
    super(`ERROR: <input>:1:${at + 1}: ${why}`)
    this.name = 'CelRefused'
  }
}

/** The evaluation of an expression failed. */
export class CelEvaluationError extends Error {
  constructor(error: EvaluationError | TypeCheckError) {
    super(failureText(error.message), { cause: error })
    this.name = 'CelFailed'
  }
}

const environment = new Environment({ homogeneousAggregateLiterals: false }).registerFunction(
  'string.findAll(string): list<string>',
  (text: string, pattern: string) => text.match(new RegExp(pattern, 'gu')) ?? [],
)

/** Compiles an expression that may use these names. Throws `CelCompileError` for an invalid one. */
export function compileCel(source: string, names: readonly string[]): Expression {
  const declared = environment.clone()
  for (const name of names) declared.registerVariable(name, 'dyn')
  const parsed = parse(declared, withPatternsOfNode(source))
  const { error } = parsed.check()
  if (error) throw new CelCompileError(error.range?.start ?? 0, refusalText(error.message))
  return parsed
}

/**
 * Evaluates an expression. Throws `CelEvaluationError` when CEL has no result, such as for a
 * missing key.
 */
export function evaluate(expression: Expression, variables: CelMap): CelValue {
  try {
    return expression(variables)
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof TypeCheckError)
      throw new CelEvaluationError(error)
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
    throw new CelCompileError(error.range?.start ?? 0, `Syntax error: ${firstLine(error.message)}`)
  }
}

/** Converts RE2 patterns of Kubernetes, in which flags precede the pattern, to Node patterns. */
const withPatternsOfNode = (source: string): string =>
  source.replaceAll(
    /\.(matches|findAll)\((\s*r?(["']))\(\?i\)((?:\\.|(?!\3).)*)\3/g,
    '.$1($2(?i:$4)$3',
  )

/** Returns the message without the source text that the library adds below it. */
const firstLine = (message: string): string => message.split('\n')[0] ?? ''

/** Returns the error text of the API server. */
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
