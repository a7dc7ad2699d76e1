import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../apiserver/types.ts'
import { callOf } from './calls.ts'
import { CelFailed } from './failed.ts'
import { type Expression, type Macro } from './parse.ts'

/** What names mean; undefined is a name that nothing bears. */
export type Scope = (name: string) => Json | undefined

/** Throws `CelFailed` where CEL has no answer, such as for a key that is not there. */
export function evaluate(expression: Expression, scope: Scope): Json {
  switch (expression.is) {
    case 'value':
      return expression.value
    case 'list':
      return expression.items.map((item) => evaluate(item, scope))
    case 'name':
      return known(scope(expression.name), expression.name)
    case 'field':
      return known(fieldOf(evaluate(expression.of, scope), expression.name), expression.name)
    case 'has':
      return fieldOf(evaluate(expression.of, scope), expression.name) !== undefined
    case 'item':
      return itemOf(evaluate(expression.of, scope), evaluate(expression.key, scope))
    case 'call':
      return callOf(
        expression.name,
        expression.given.map((each) => evaluate(each, scope)),
      )
    case 'macro':
      return macroOf(expression, scope)
    case 'sign':
      return signOf(expression, scope)
  }
}

function known(value: Json | undefined, name: string): Json {
  if (value === undefined) throw new CelFailed(`no such key: ${name}`)
  return value
}

function fieldOf(map: Json, name: string): Json | undefined {
  if (!isMap(map)) throw new CelFailed('no such overload')
  return Object.hasOwn(map, name) ? map[name] : undefined
}

function itemOf(of: Json, key: Json): Json {
  if (Array.isArray(of) && typeof key === 'number') {
    const item = of[key]
    if (item === undefined) throw new CelFailed(`index out of bounds: ${key}`)
    return item
  }
  if (typeof key !== 'string') throw new CelFailed('no such overload')
  return known(fieldOf(of, key), key)
}

function truth(value: Json): boolean {
  if (typeof value !== 'boolean') throw new CelFailed('no such overload')
  return value
}

type OverItems = (items: readonly Json[], of: (item: Json) => Json) => Json

const overItems: Readonly<Record<Macro, OverItems>> = {
  all: (items, of) =>
    decided(
      items.map((item) => () => truth(of(item))),
      false,
    ),
  exists: (items, of) =>
    decided(
      items.map((item) => () => truth(of(item))),
      true,
    ),
  filter: (items, of) => items.filter((item) => truth(of(item))),
  map: (items, of) => items.map(of),
}

function macroOf(
  { macro, of, variable, body }: Extract<Expression, { is: 'macro' }>,
  scope: Scope,
): Json {
  const items = evaluate(of, scope)
  const over = isMap(items) ? Object.keys(items) : items
  if (!Array.isArray(over)) throw new CelFailed('no such overload')
  return overItems[macro](over, (item) =>
    evaluate(body, (name) => (name === variable ? item : scope(name))),
  )
}

/** One side that decides is enough, also where another one fails. */
function decided(sides: readonly (() => boolean)[], deciding: boolean): boolean {
  let failure: CelFailed | null = null
  for (const side of sides) {
    try {
      if (side() === deciding) return deciding
    } catch (error) {
      if (!(error instanceof CelFailed)) throw error
      failure ??= error
    }
  }
  if (failure) throw failure
  return !deciding
}

function signOf({ sign, sides }: Extract<Expression, { is: 'sign' }>, scope: Scope): Json {
  const lazily = sides.map((side) => () => evaluate(side, scope))
  if (sign === '?') return chosen(lazily)
  if (sign === '&&' || sign === '||')
    return decided(
      lazily.map((side) => () => truth(side())),
      sign === '||',
    )
  const [left = null, right = null] = lazily.map((side) => side())
  return compared(sign, left, right)
}

function chosen([test, yes, no]: readonly (() => Json)[]): Json {
  return (truth(test?.() ?? null) ? yes?.() : no?.()) ?? null
}

function compared(sign: string, left: Json, right: Json): Json {
  if (sign === '!') return !truth(left)
  if (sign === '==') return isDeepStrictEqual(left, right)
  if (sign === '!=') return !isDeepStrictEqual(left, right)
  if (sign === 'in') return isIn(left, right)
  return sign === '+' ? sumOf(left, right) : isInOrder(sign, left, right)
}

function isIn(value: Json, within: Json): boolean {
  if (Array.isArray(within)) return within.some((item) => isDeepStrictEqual(item, value))
  return typeof value === 'string' && fieldOf(within, value) !== undefined
}

function sumOf(left: Json, right: Json): Json {
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
  throw new CelFailed('no such overload')
}

function isInOrder(sign: string, left: Json, right: Json): boolean {
  const areAlike =
    (typeof left === 'number' && typeof right === 'number') ||
    (typeof left === 'string' && typeof right === 'string')
  if (!areAlike || left === null || right === null) throw new CelFailed('no such overload')
  if (left === right) return sign.endsWith('=')
  return left < right === sign.startsWith('<')
}
