import { type Json, type KubeObject, isMap } from '../../objects/types.ts'
import { type Resource } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'

export type Predicate = (object: KubeObject) => boolean

/** Combines the label and field selectors of a request. Null when there is none. */
export function selectorOf(resource: Resource, query: URLSearchParams): Predicate | null {
  const labels = query.get('labelSelector') ?? ''
  const fields = query.get('fieldSelector') ?? ''
  const predicates = [...labelRequirements(labels), ...fieldRequirements(resource, fields)]
  return predicates.length === 0 ? null : (object) => predicates.every((accepts) => accepts(object))
}

/** Returns a predicate for a label selector. */
export function labelsSelectedBy(text: string): Predicate {
  const predicates = labelRequirements(text)
  return (object) => predicates.every((accepts) => accepts(object))
}

const requirement =
  /^\s*(?:(!)\s*([^\s!=,()]+)|([^\s!=,()]+)\s*(?:(==|=|!=)\s*([^\s!=,()]*)|\s+(in|notin)\s*\(([^()]*)\))?)\s*(?:,|$)/

function labelRequirements(text: string): Predicate[] {
  const predicates: Predicate[] = []
  for (let rest = text; rest.trim() !== '';) {
    const match = requirement.exec(rest)
    if (!match)
      throw refuse.badRequest(
        `unable to parse requirement: found '${rest.trim()}', expected: identifier`,
      )
    predicates.push(labelPredicate(match))
    rest = rest.slice(match[0].length)
  }
  return predicates
}

function labelPredicate(match: RegExpExecArray): Predicate {
  const [, not, absentKey, key = '', operator, value, setOperator, members] = match
  const labelOf = (object: KubeObject, name: string): string | undefined =>
    object.metadata.labels?.[name]
  if (not && absentKey !== undefined) return (object) => labelOf(object, absentKey) === undefined
  if (operator !== undefined)
    return operator === '!='
      ? (object) => labelOf(object, key) !== value
      : (object) => labelOf(object, key) === value
  if (setOperator === undefined) return (object) => labelOf(object, key) !== undefined
  const values = new Set((members ?? '').split(',').map((member) => member.trim()))
  const isIn: Predicate = (object) => values.has(labelOf(object, key) ?? '\u0000')
  return setOperator === 'in' ? isIn : (object) => !isIn(object)
}

function fieldRequirements(resource: Resource, text: string): Predicate[] {
  if (text === '') return []
  return text.split(',').map((term) => {
    const match = /^(.+?)(==|=|!=)(.*)$/.exec(term)
    if (!match) throw refuse.badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, field = '', operator, value] = match
    mustBeSelectable(resource, field)
    return (object) => (valueAt(object, field) === value) === (operator !== '!=')
  })
}

function mustBeSelectable(resource: Resource, field: string): void {
  const known = ['metadata.name', 'metadata.namespace']
  if (known.includes(field) || resource.selectable.includes(field)) return
  if (resource.custom || resource.selectable.length > 0)
    throw refuse.badRequest(`field label not supported: ${field}`)
  const names = known.map((name) => `"${name}"`).join(', ')
  throw refuse.badRequest(`"${field}" is not a known field selector: only ${names}`)
}

/** The only boolean field selector. A missing value means false. */
const flag = 'spec.unschedulable'

function valueAt(object: KubeObject, path: string): string {
  let value: Json | undefined = object
  for (const key of path.split('.')) value = isMap(value) ? value[key] : undefined
  if (path === flag) return String(value === true)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
