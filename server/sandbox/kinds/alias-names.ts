import { type Alias, type Resource, apiVersionOf } from '../objects/resource.ts'
import { invalid } from '../objects/status.ts'
import { type Json, type JsonMap, isMap } from '../objects/types.ts'
import { readYaml } from '../yaml/read.ts'

/* Some kinds are served by a second API group under other field names, such as Event. */

interface Sent {
  alias: Alias
  resource: Resource
  request: { method?: string | undefined }
}

/**
 * Renames the fields of a request body to the names under which the object is stored. A body that
 * is no YAML passes unchanged, because the reader of bodies refuses it.
 */
export function withStoredNames(sent: Sent, body: Buffer): Buffer {
  const value = valueOf(body)
  const own = ownNames(sent.alias)
  if (Array.isArray(value))
    return Buffer.from(JSON.stringify(value.map((step) => inOwnPaths(step, own))))
  return isMap(value) ? Buffer.from(JSON.stringify(ownObject(sent, value, own))) : body
}

function ownObject(
  { alias, resource, request }: Sent,
  value: JsonMap,
  own: ReadonlyMap<string, string>,
): JsonMap {
  const renamed = withNames(value, own)
  const causes = request.method === 'POST' ? (alias.causes?.(renamed) ?? []) : []
  if (causes.length > 0) {
    const { kind, group } = { ...resource, group: alias.group ?? resource.group }
    const name = isMap(value.metadata) ? String(value.metadata.name ?? '') : ''
    throw invalid({ kind, group, label: `${kind}.${group}` }, name, causes)
  }
  return value.apiVersion === apiVersionOf(resource, alias)
    ? { ...renamed, apiVersion: apiVersionOf(resource) }
    : renamed
}

/** JSON is a subset of YAML, so one reader takes both. */
function valueOf(body: Buffer): Json {
  try {
    return readYaml(body.toString('utf8')).value
  } catch {
    return null
  }
}

/** Renames the fields in the paths of one step of a JSON patch. */
function inOwnPaths(step: Json, own: ReadonlyMap<string, string>): Json {
  if (!isMap(step)) return step
  const inOwn = (path: Json | undefined): Json | undefined =>
    typeof path === 'string'
      ? path.replace(/^\/([^/]+)/, (_whole, first: string) => `/${own.get(first) ?? first}`)
      : path
  const { path, from } = step
  return {
    ...step,
    ...(path === undefined ? {} : { path: inOwn(path) }),
    ...(from === undefined ? {} : { from: inOwn(from) }),
  }
}

export const withAliasNames = <T>(
  { renamed = {} }: Alias,
  fields: Readonly<Record<string, T>>,
): Record<string, T> => withNames(fields, new Map(Object.entries(renamed)))

const ownNames = ({ renamed = {} }: Alias): ReadonlyMap<string, string> =>
  new Map(Object.entries(renamed).map(([storedName, aliasName]) => [aliasName, storedName]))

const withNames = <T>(
  map: Readonly<Record<string, T>>,
  names: ReadonlyMap<string, string>,
): Record<string, T> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [names.get(key) ?? key, value]))

/** Renames the fields of the query's field selector to their stored names. */
export function withStoredSelector(
  alias: Alias | undefined,
  query: URLSearchParams,
): URLSearchParams {
  const fields = query.get('fieldSelector')
  if (!alias?.renamed || fields === null) return query
  const own = ownNames(alias)
  const storedQuery = new URLSearchParams(query)
  const terms = fields
    .split(',')
    .map((term) => term.replace(/^\w+/, (name) => own.get(name) ?? name))
  storedQuery.set('fieldSelector', terms.join(','))
  return storedQuery
}

/** The row of the kind as the alias's API group serves it. */
export function servedAs(row: Resource, alias: Alias): Resource {
  const { aliases: _aliases, ...own } = row
  const properties = withAliasNames(alias, row.schema.properties ?? {})
  return {
    ...own,
    group: alias.group ?? row.group,
    version: alias.version,
    schema: { ...row.schema, properties },
  }
}
