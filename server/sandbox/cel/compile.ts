import { isCall } from './calls.ts'
import { type Expression, parseCel } from './parse.ts'
import { CelRefused } from './tokens.ts'

/** Reads an expression and makes sure that all of it can be evaluated with these names. */
export function compileCel(source: string, names: readonly string[]): Expression {
  const expression = parseCel(source)
  mustKnow(expression, names)
  return expression
}

function mustKnow(expression: Expression, names: readonly string[]): void {
  if (expression.is === 'name' && !names.includes(expression.name))
    throw new CelRefused(
      expression.at,
      `undeclared reference to '${expression.name}' (in container '')`,
    )
  if (expression.is === 'call') mustBeCall(expression)
  const inner = expression.is === 'macro' ? [...names, expression.variable] : names
  if (expression.is === 'macro') mustKnow(expression.of, names)
  for (const part of partsOf(expression)) mustKnow(part, inner)
}

function mustBeCall({ name, isMember, given, at }: Extract<Expression, { is: 'call' }>): void {
  if (!isCall(name, { isMember, given: given.length }))
    throw new CelRefused(
      at,
      `undeclared reference to '${name}' (this cluster knows a part of CEL only)`,
    )
}

/** What an expression is made of; of a macro what is asked of each item. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.is) {
    case 'value':
    case 'name':
      return []
    case 'list':
      return expression.items
    case 'field':
    case 'has':
      return [expression.of]
    case 'item':
      return [expression.of, expression.key]
    case 'call':
      return expression.given
    case 'macro':
      return [expression.body]
    case 'sign':
      return expression.sides
  }
}
