import { type Json, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'

/** A path is the joined sequence of FieldsV1 elements: `f:spec`, `k:{"name":"x"}`, `v:"x"`. */
const separator = '\u0000'

/** By what stands before it, then by its last part. */
type Paths = Map<string, Map<string, string>>

/**
 * Things of a kind have the same paths: each is joined, hashed and split once, and not for every
 * thing that has it (measured: a tenth of what a write costs).
 */
const known = {
  elements: new Map() as Paths,
  fields: new Map() as Paths,
  parts: new Map<string, readonly string[]>(),
}
const mostKnown = 50_000
let count = 0

function mustHaveRoom(): void {
  count += 1
  if (count < mostKnown) return
  for (const map of Object.values(known)) map.clear()
  count = 0
}

function remember(paths: Paths, [parent, part]: [string, string], path: string): string {
  mustHaveRoom()
  paths.set(parent, (paths.get(parent) ?? new Map<string, string>()).set(part, path))
  return path
}

export const joinPath = (parent: string, element: string): string =>
  known.elements.get(parent)?.get(element) ??
  remember(
    known.elements,
    [parent, element],
    parent === '' ? element : `${parent}${separator}${element}`,
  )

/** The path of a field of a map. */
export const fieldPath = (parent: string, key: string): string =>
  known.fields.get(parent)?.get(key) ??
  remember(known.fields, [parent, key], joinPath(parent, `f:${key}`))

export function elementsOf(path: string): readonly string[] {
  const found = known.parts.get(path)
  if (found) return found
  mustHaveRoom()
  const parts = path.split(separator)
  known.parts.set(path, parts)
  return parts
}

/** How FieldsV1 names an element of a list that merges. */
export function listElement(item: Json, schema: Schema): string {
  const keys = schema['x-kubernetes-list-map-keys']
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !isMap(item))
    return `v:${JSON.stringify(item)}`
  return `k:${JSON.stringify(Object.fromEntries([...keys].sort().map((key) => [key, item[key]])))}`
}
