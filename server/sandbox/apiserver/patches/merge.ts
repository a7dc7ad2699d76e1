import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { elementsOf, listElement } from './field-path.ts'

/** Merges the applied configuration into the live object. List items are matched by their keys. */
export function mergeApplied(live: Json | undefined, applied: Json, schema: Schema): Json {
  if (isMap(applied) && isMap(live) && schema['x-kubernetes-map-type'] !== 'atomic')
    return mergeMaps(live, applied, schema)
  const listType = schema['x-kubernetes-list-type']
  if (Array.isArray(applied) && Array.isArray(live) && (listType === 'map' || listType === 'set'))
    return mergeLists(live, applied, schema)
  return applied
}

function mergeMaps(live: JsonMap, applied: JsonMap, schema: Schema): JsonMap {
  const result: JsonMap = { ...live }
  for (const [key, value] of Object.entries(applied)) {
    if (value !== undefined)
      result[key] = mergeApplied(
        live[key],
        value,
        schema.properties?.[key] ?? schema.additionalProperties ?? {},
      )
  }
  return result
}

function mergeLists(live: readonly Json[], applied: readonly Json[], schema: Schema): Json[] {
  const byElement = new Map(live.map((item) => [listElement(item, schema), item]))
  for (const item of applied) {
    const element = listElement(item, schema)
    byElement.set(element, mergeApplied(byElement.get(element), item, schema.items ?? {}))
  }
  return [...byElement.values()]
}

/**
 * Removes the fields at the paths. A map or list that becomes empty stays unless it is itself at a
 * path.
 */
export function withoutPaths<T extends Json>(value: T, paths: Iterable<string>, schema: Schema): T {
  let result: Json = value
  // The deepest paths come first, so that a container at a path is already empty of the removed
  // fields.
  for (const path of [...paths].sort((a, b) => b.length - a.length))
    result = without(result, elementsOf(path), schema) ?? {}
  // The cast holds because removing fields from a map leaves a map.
  return result as T
}

function without(value: Json, elements: readonly string[], schema: Schema): Json | undefined {
  const [element = '', ...rest] = elements
  if (element.startsWith('f:') && isMap(value))
    return withoutField(value, element.slice(2), { rest, schema })
  return Array.isArray(value) ? withoutItem(value, elements, schema) : value
}

function withoutItem(
  value: readonly Json[],
  [element = '', ...rest]: readonly string[],
  schema: Schema,
): Json | undefined {
  const at = value.findIndex((item) => listElement(item, schema) === element)
  if (at < 0) return [...value]
  const remainder =
    rest.length === 0 ? undefined : without(value[at] ?? null, rest, schema.items ?? {})
  if (remainder !== undefined) return value.with(at, remainder)
  return value.length === 1 ? undefined : value.toSpliced(at, 1)
}

function withoutField(
  value: JsonMap,
  key: string,
  { rest, schema }: { rest: readonly string[]; schema: Schema },
): Json | undefined {
  const child = value[key]
  if (child === undefined) return value
  const remainder =
    rest.length === 0
      ? undefined
      : without(child, rest, schema.properties?.[key] ?? schema.additionalProperties ?? {})
  const { [key]: _removed, ...remaining } = value
  if (remainder !== undefined) return { ...value, [key]: remainder }
  return Object.keys(remaining).length === 0 && schema.additionalProperties ? undefined : remaining
}
