import { type JsonMap, isMap } from '../../objects/types.ts'
import { elementsOf, joinPath } from './field-path.ts'

function toFieldsV1(paths: Iterable<string>): JsonMap {
  const root: JsonMap = {}
  const members = new Set<JsonMap>()
  // In this order a path stands before everything below it.
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
  const known = node[element]
  if (isMap(known)) return known
  const made: JsonMap = {}
  node[element] = made
  return made
}

/**
 * Of the entries that were read or written last: what is being made is written ten times in a
 * second, and each time all of its entries are read.
 */
const known = new Map<JsonMap, ReadonlySet<string>>()
const mostKnown = 10_000

function remember(fields: JsonMap, paths: ReadonlySet<string>): void {
  known.set(fields, paths)
  if (known.size > mostKnown)
    for (const oldest of [...known.keys()].slice(0, mostKnown / 2)) known.delete(oldest)
}

/** Things of one kind are mostly made of the same fields. */
const made = new Map<string, JsonMap>()
const mostMade = 500

/** The entry that says who owns these paths; neither is changed any more. */
export function fieldsV1Of(paths: ReadonlySet<string>): JsonMap {
  // Who owns an object is named by a uid, and so in paths that no other object has.
  const owners = [...paths].filter(isOfOwner)
  if (owners.length === 0) return fieldsOfKind(paths)
  const fields = withOwners(fieldsOfKind(paths.difference(new Set(owners))), owners)
  remember(fields, paths)
  return fields
}

const ownerPaths = 'f:metadata\u0000f:ownerReferences'
const isOfOwner = (path: string): boolean => path.startsWith(ownerPaths)

/** Owners come last in the metadata that a path can be of. */
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
  const alike = made.get(text)
  if (alike) return alike
  const fields = toFieldsV1(paths)
  if (made.size >= mostMade) made.clear()
  made.set(text, fields)
  remember(fields, paths)
  return fields
}

/** The paths of an entry, which nobody changes. */
export function pathsOf(fields: JsonMap): ReadonlySet<string> {
  const paths = known.get(fields) ?? fromFieldsV1(fields)
  if (!known.has(fields)) remember(fields, paths)
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

/** The path as people read it in a conflict: `.spec.ports[port=80].name`. */
export function readablePath(path: string): string {
  return elementsOf(path)
    .map((element) => {
      const rest = element.slice(2)
      if (element.startsWith('f:')) return `.${rest}`
      if (element.startsWith('v:')) return `[=${rest}]`
      // Written by listElement from a map of keys.
      const keys = JSON.parse(rest) as JsonMap
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`
    })
    .join('')
}
