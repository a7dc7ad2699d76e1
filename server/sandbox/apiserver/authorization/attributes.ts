/** The attributes of a request for a resource. */
export interface ResourceAttributes {
  verb: string
  group: string
  resource: string
  subresource: string
  /** Empty for a cluster-scoped request. */
  namespace: string
  name: string
}

/** The attributes of a request: for a resource, or for another path. */
export type Attributes = ResourceAttributes | { verb: string; path: string }

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/**
 * Reads the attributes from the path alone, served or not. A user without permissions cannot learn
 * which kinds exist.
 */
export function attributesOf(method: string, path: string, query: URLSearchParams): Attributes {
  const match = resourceIn(path)
  if (!match) return { verb: method.toLowerCase(), path }
  const { group, parts } = match
  const isWatchPath = parts[0] === 'watch' && parts.length > 1
  const { name, ...location } = locationOf(isWatchPath ? parts.slice(1) : parts)
  const verb = isWatchPath ? 'watch' : verbOf(method, name, query)
  return { verb, group, ...location, name: name === '' ? nameIn(query, method) : name }
}

/** Returns the group and the path segments after the version. */
function resourceIn(path: string): { group: string; parts: readonly string[] } | null {
  const [root, ...rest] = path.split('/').filter(Boolean).map(decoded)
  if (root === 'api' && rest.length >= 2) return { group: '', parts: rest.slice(1) }
  const [group, , ...parts] = rest
  return root === 'apis' && group !== undefined && parts.length > 0 ? { group, parts } : null
}

function locationOf(
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

/**
 * Returns the name in a field selector. Such a list needs only the permission for that one object.
 */
function nameIn(query: URLSearchParams, method: string): string {
  if (method !== 'GET') return ''
  return (
    /(?:^|,)metadata\.name==?([^,!=]+)(?:,|$)/.exec(query.get('fieldSelector') ?? '')?.[1] ?? ''
  )
}

/** Decodes a path segment. An invalid segment stays unchanged. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
