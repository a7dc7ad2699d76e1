import { dig } from '../../objects/dig.ts'
import { type Json, type JsonMap } from '../../objects/types.ts'

/** Formats the selector of an object as a label selector of a request. */
export function textOfSelector(selector: JsonMap): string {
  const labels = Object.entries(dig.map(selector, 'matchLabels')).map(
    ([key, value]) => `${key}=${String(value)}`,
  )
  return [...labels.sort(), ...dig.list(selector, 'matchExpressions').map(expressionText)].join(',')
}

function expressionText(expression: Json): string {
  const [key, operator] = [dig.text(expression, 'key'), dig.text(expression, 'operator')]
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${dig.texts(expression, 'values').sort().join(',')})`
}
