import { dig } from './dig.ts'
import { type Json, type KubeObject } from './types.ts'

/** True when a label selector matches the labels of an object; an empty one matches all. */
export function selects(selector: Json, { metadata: { labels = {} } }: KubeObject): boolean {
  const matchLabels = Object.entries(dig.map(selector, 'matchLabels'))
  return (
    matchLabels.every(([key, value]) => labels[key] === value) &&
    dig
      .list(selector, 'matchExpressions')
      .every((each) => holds(each, labels[dig.text(each, 'key')]))
  )
}

function holds(requirement: Json, value: string | undefined): boolean {
  const among = value !== undefined && dig.texts(requirement, 'values').includes(value)
  const operator = dig.text(requirement, 'operator')
  if (operator === 'In') return among
  if (operator === 'NotIn') return !among
  return operator === 'Exists' ? value !== undefined : value === undefined
}
