import { type Json } from '../apiserver/types.ts'
import { CelRefused, type Token, tokensOf } from './tokens.ts'

export const macros = ['all', 'exists', 'filter', 'map'] as const
export type Macro = (typeof macros)[number]

export type Expression =
  | { is: 'value'; value: Json }
  | { is: 'list'; items: readonly Expression[] }
  | { is: 'name'; name: string; at: number }
  | { is: 'field'; of: Expression; name: string }
  | { is: 'has'; of: Expression; name: string }
  | { is: 'item'; of: Expression; key: Expression }
  /** Of a member function what it is called on comes first. */
  | { is: 'call'; name: string; isMember: boolean; given: readonly Expression[]; at: number }
  | { is: 'macro'; macro: Macro; of: Expression; variable: string; body: Expression }
  | { is: 'sign'; sign: string; sides: readonly Expression[] }

/**
 * The part of CEL that policies need: logic, comparison, `in`, `+`, lists, fields, `has`, calls,
 * and the macros over lists. What is beyond that is refused like a mistake, so that no policy seems
 * to hold here that nobody evaluates.
 */
export function parseCel(source: string): Expression {
  const reading = new Reading(tokensOf(source))
  const expression = reading.choice()
  reading.end()
  return expression
}

const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+'],
]

class Reading {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get #token(): Token {
    const token = this.#tokens[this.#next] ?? this.#tokens.at(-1)
    if (!token) throw new TypeError('a text without an end')
    return token
  }

  end(): void {
    if (this.#token.kind !== 'end') throw this.#unexpected()
  }

  choice(): Expression {
    const test = this.#level(0)
    if (!this.#takes('?')) return test
    const yes = this.choice()
    this.#must(':')
    return { is: 'sign', sign: '?', sides: [test, yes, this.choice()] }
  }

  #level(level: number): Expression {
    const signs = levels[level]
    if (!signs) return this.#unary()
    let left = this.#level(level + 1)
    for (let sign = this.#oneOf(signs); sign !== null; sign = this.#oneOf(signs))
      left = { is: 'sign', sign, sides: [left, this.#level(level + 1)] }
    return left
  }

  #unary(): Expression {
    if (this.#takes('!')) return { is: 'sign', sign: '!', sides: [this.#unary()] }
    return this.#member()
  }

  #member(): Expression {
    let of = this.#primary()
    for (;;) {
      if (this.#takes('.')) of = this.#afterDot(of)
      else if (this.#takes('[')) of = { is: 'item', of, key: this.#before(']') }
      else return of
    }
  }

  #afterDot(of: Expression): Expression {
    const { text, at } = this.#name()
    if (!this.#takes('(')) return { is: 'field', of, name: text }
    const macro = macros.find((each) => each === text)
    if (!macro)
      return { is: 'call', name: text, isMember: true, given: [of, ...this.#list(')')], at }
    const variable = this.#name().text
    this.#must(',')
    return { is: 'macro', macro, of, variable, body: this.#before(')') }
  }

  #primary(): Expression {
    const token = this.#token
    this.#next += 1
    if (token.kind === 'text') return { is: 'value', value: token.text }
    if (token.kind === 'number') return { is: 'value', value: Number(token.text) }
    if (token.kind === 'name') return this.#named(token)
    if (token.text === '(') return this.#before(')')
    if (token.text === '[') return { is: 'list', items: this.#list(']') }
    if (token.text === '{' && this.#takes('}')) return { is: 'value', value: {} }
    this.#next -= 1
    throw this.#unexpected()
  }

  #named({ text, at }: Token): Expression {
    const value = words[text]
    if (value !== undefined) return { is: 'value', value }
    if (!this.#takes('(')) return { is: 'name', name: text, at }
    const given = this.#list(')')
    if (text !== 'has') return { is: 'call', name: text, isMember: false, given, at }
    const [field] = given
    if (field?.is !== 'field') throw new CelRefused(at, 'invalid argument to has() macro')
    return { is: 'has', of: field.of, name: field.name }
  }

  #list(end: string): Expression[] {
    const items: Expression[] = []
    if (this.#takes(end)) return items
    do items.push(this.choice())
    while (this.#takes(','))
    this.#must(end)
    return items
  }

  #before(end: string): Expression {
    const inner = this.choice()
    this.#must(end)
    return inner
  }

  #name(): Token {
    const token = this.#token
    if (token.kind !== 'name') throw this.#unexpected()
    this.#next += 1
    return token
  }

  #oneOf(signs: readonly string[]): string | null {
    return signs.find((sign) => this.#takes(sign)) ?? null
  }

  #takes(text: string): boolean {
    const { kind, text: found } = this.#token
    // `in` is written as a name.
    if (found !== text || kind === 'text' || kind === 'end') return false
    this.#next += 1
    return true
  }

  #must(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected()
  }

  #unexpected(): CelRefused {
    const { at, text } = this.#token
    return new CelRefused(at, `Syntax error: mismatched input '${text}'`)
  }
}

const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }
