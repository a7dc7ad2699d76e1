import { dig } from '../../objects/dig.ts'
import { type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type Attributes, type ResourceAttributes } from './attributes.ts'

/** One rule of a role. */
export interface Rule {
  verbs: readonly string[]
  apiGroups: readonly string[]
  resources: readonly string[]
  resourceNames: readonly string[]
  nonResourceURLs: readonly string[]
}

/** Rules that allow every request. */
export const everything: readonly Rule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
]

/** Returns the rules of a role. Invalid entries are ignored. */
export const rulesOf = ({ rules }: KubeObject): Rule[] =>
  (Array.isArray(rules) ? rules : []).filter(isMap).map(ruleFrom)

const ruleFrom = (rule: JsonMap): Rule => ({
  verbs: dig.texts(rule, 'verbs'),
  apiGroups: dig.texts(rule, 'apiGroups'),
  resources: dig.texts(rule, 'resources'),
  resourceNames: dig.texts(rule, 'resourceNames'),
  nonResourceURLs: dig.texts(rule, 'nonResourceURLs'),
})

const holds = (list: readonly string[], value: string): boolean =>
  list.includes('*') || list.includes(value)

export function allows(rule: Rule, attributes: Attributes): boolean {
  if (!holds(rule.verbs, attributes.verb)) return false
  if ('path' in attributes)
    return rule.nonResourceURLs.some((url) => coversPath(url, attributes.path))
  return (
    holds(rule.apiGroups, attributes.group) &&
    coversResource(rule.resources, attributes) &&
    coversName(rule.resourceNames, attributes.name)
  )
}

function coversResource(
  resources: readonly string[],
  { resource, subresource }: ResourceAttributes,
): boolean {
  if (subresource === '') return holds(resources, resource)
  return holds(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
}

const coversName = (names: readonly string[], name: string): boolean =>
  names.length === 0 || names.includes(name)

export const coversPath = (url: string, path: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')))
