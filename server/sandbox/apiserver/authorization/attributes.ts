/** What somebody wants to do to a resource. */
export interface ResourceAttributes {
  verb: string
  group: string
  resource: string
  subresource: string
  /** Empty for the whole cluster. */
  namespace: string
  name: string
}

/** What somebody wants to do: to a resource, or to a path that is none. */
export type Attributes = ResourceAttributes | { verb: string; path: string }

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Read from the path alone, served or not: whoever has no rights does not learn what is there. */
export function attributesOf(method: string, path: string, query: URLSearchParams): Attributes {
  const found = resourceIn(path)
  if (!found) return { verb: method.toLowerCase(), path }
  const { group, parts } = found
  const watches = parts[0] === 'watch' && parts.length > 1
  const { name, ...place } = placeOf(watches ? parts.slice(1) : parts)
  const verb = watches ? 'watch' : verbOf(method, name, query)
  return { verb, group, ...place, name: name === '' ? nameIn(query, method) : name }
}

/** What follows group and version. */
function resourceIn(path: string): { group: string; parts: readonly string[] } | null {
  const [root, ...rest] = path.split('/').filter(Boolean).map(decoded)
  if (root === 'api' && rest.length >= 2) return { group: '', parts: rest.slice(1) }
  const [group, , ...parts] = rest
  return root === 'apis' && group !== undefined && parts.length > 0 ? { group, parts } : null
}

function placeOf(
  parts: readonly string[],
): Pick<ResourceAttributes, 'namespace' | 'resource' | 'name' | 'subresource'> {
  const [first = '', second = '', third] = parts
  const namespace = first === 'namespaces' ? second : ''
  const isInside =
    namespace !== '' && third !== undefined && !['status', 'finalize'].includes(third)
  const [resource = '', name = '', subresource = ''] = isInside ? parts.slice(2) : parts
  return { namespace, resource, name, subresource }
}

function verbOf(method: string, name: string, query: URLSearchParams): string {
  const verb = verbs[method] ?? ''
  if (name !== '') return verb
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get') return verb
  return ['1', 'true'].includes(query.get('watch') ?? '') ? 'watch' : 'list'
}

/** A list that selects one object by name is as good as a look at it. */
function nameIn(query: URLSearchParams, method: string): string {
  if (method !== 'GET') return ''
  return (
    /(?:^|,)metadata\.name==?([^,!=]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? ''
  )
}

/** Out of a part of a path; what cannot be decoded stays as it is. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
