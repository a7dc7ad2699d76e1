import { type JsonMap, isMap } from '../../objects/types.ts'
import { elementsOf, joinPath } from './field-path.ts'

/*
 * Converts the paths of fields to and from FieldsV1, the nested form in which `managedFields`
 * stores the fields of an owner.
 */

function toFieldsV1(paths: Iterable<string>): JsonMap {
  const root: JsonMap = {}
  const members = new Set<JsonMap>()
  // A path sorts before all paths below it.
  for (const path of [...paths].sort()) {
    let node = root
    for (const element of elementsOf(path)) {
      if (members.has(node)) node['.'] = {}
      node = below(node, element)
    }
    members.add(node)
  }
  return root
}

function below(node: JsonMap, element: string): JsonMap {
  const existing = node[element]
  if (isMap(existing)) return existing
  const created: JsonMap = {}
  node[element] = created
  return created
}

/**
 * Paths of recently used entries. A new object is written ten times a second, and each write reads
 * all entries.
 */
const pathsByFields = new Map<JsonMap, ReadonlySet<string>>()
const maxEntries = 10_000

function remember(fields: JsonMap, paths: ReadonlySet<string>): void {
  pathsByFields.set(fields, paths)
  if (pathsByFields.size > maxEntries)
    for (const oldest of [...pathsByFields.keys()].slice(0, maxEntries / 2))
      pathsByFields.delete(oldest)
}

/** Entries by their paths. Objects of one kind mostly have the same fields. */
const fieldsByPaths = new Map<string, JsonMap>()
const maxFieldSets = 500

/** Returns the FieldsV1 of the paths. Both are immutable. */
export function fieldsV1Of(paths: ReadonlySet<string>): JsonMap {
  // Paths of owner references contain a uid, so no other object has them.
  const owners = [...paths].filter(isOfOwner)
  if (owners.length === 0) return fieldsOfKind(paths)
  const fields = withOwners(fieldsOfKind(paths.difference(new Set(owners))), owners)
  remember(fields, paths)
  return fields
}

const ownerPaths = 'f:metadata\u0000f:ownerReferences'
const isOfOwner = (path: string): boolean => path.startsWith(ownerPaths)

/** Adds the paths of owner references, which sort last in metadata. */
function withOwners(fields: JsonMap, owners: readonly string[]): JsonMap {
  const { 'f:metadata': metadata } = fields
  const { 'f:metadata': added } = toFieldsV1(owners)
  return {
    ...fields,
    'f:metadata': { ...(isMap(metadata) ? metadata : {}), ...(isMap(added) ? added : {}) },
  }
}

function fieldsOfKind(paths: ReadonlySet<string>): JsonMap {
  const text = [...paths].join('\n')
  const cached = fieldsByPaths.get(text)
  if (cached) return cached
  const fields = toFieldsV1(paths)
  if (fieldsByPaths.size >= maxFieldSets) fieldsByPaths.clear()
  fieldsByPaths.set(text, fields)
  remember(fields, paths)
  return fields
}

/** Returns the paths of an entry. Entries are immutable. */
export function pathsOf(fields: JsonMap): ReadonlySet<string> {
  const paths = pathsByFields.get(fields) ?? fromFieldsV1(fields)
  if (!pathsByFields.has(fields)) remember(fields, paths)
  return paths
}

function fromFieldsV1(fields: JsonMap, prefix = ''): Set<string> {
  const paths = new Set<string>()
  for (const [element, child] of Object.entries(fields)) {
    if (element === '.') {
      if (prefix !== '') paths.add(prefix)
      continue
    }
    const path = joinPath(prefix, element)
    if (!isMap(child) || Object.keys(child).length === 0) paths.add(path)
    else for (const below of fromFieldsV1(child, path)) paths.add(below)
  }
  return paths
}

/** Formats a path for a conflict message: `.spec.ports[port=80].name`. */
export function readablePath(path: string): string {
  return elementsOf(path)
    .map((element) => {
      const rest = element.slice(2)
      if (element.startsWith('f:')) return `.${rest}`
      if (element.startsWith('v:')) return `[=${rest}]`
      // The cast holds because listElement writes a map of keys.
      const keys = JSON.parse(rest) as JsonMap
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`
    })
    .join('')
}
