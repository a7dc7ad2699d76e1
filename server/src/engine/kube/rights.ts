import { type ApiCall, type ApiKind, type Verb } from './api-call.ts'

/** One right of RBAC. The resource may have a subresource, such as `virtualmachines/start`. */
export interface Right {
  verb: Verb
  group: string
  resource: string
}

/**
 * Returns the resource with its API group, such as `virtualmachines.kubevirt.io`. A subresource
 * comes after its group, as in `subresources.kubevirt.io virtualmachines/start`.
 */
export function resourceName({ group, resource }: Pick<Right, 'group' | 'resource'>): string {
  if (group === '') return resource
  return resource.includes('/') ? `${group} ${resource}` : `${resource}.${group}`
}

/** Returns the rights that all declared calls of a kind need. */
export const rightsTo = ({ group, plural, verbs, subresources = {} }: ApiKind): Right[] => [
  ...verbs.map((verb) => ({ verb, group, resource: plural })),
  ...Object.entries(subresources).map(([name, verb]) => ({
    verb,
    group,
    resource: `${plural}/${name}`,
  })),
]

/** Returns the right that a call needs; null for paths of no kind, which every account may read. */
export function rightFor(call: ApiCall): Right | null {
  const { of, subresource, fixedPath } = call
  if (fixedPath !== undefined) return null
  const resource = subresource === undefined ? of.plural : `${of.plural}/${subresource}`
  return { verb: verbOf(call), group: of.group, resource }
}

const writes = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const

function verbOf({ method, name, query }: ApiCall): Verb {
  if (method !== 'GET') return writes[method]
  if (name !== undefined) return 'get'
  return query?.watch === undefined ? 'list' : 'watch'
}
