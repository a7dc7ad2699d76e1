import { type Json, isMap } from './types.ts'
import { type Schema } from './resource.ts'

/** A path is the joined sequence of FieldsV1 elements: `f:spec`, `k:{"name":"x"}`, `v:"x"`. */
export const separator = '\u0000'

export const joinPath = (parent: string, element: string): string => (parent === '' ? element : `${parent}${separator}${element}`)

export const elementsOf = (path: string): string[] => path.split(separator)

/** How FieldsV1 names an element of a list that merges. */
export function listElement(item: Json, schema: Schema): string {
  const keys = schema['x-kubernetes-list-map-keys']
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !isMap(item)) return `v:${JSON.stringify(item)}`
  return `k:${JSON.stringify(Object.fromEntries([...keys].sort().map((key) => [key, item[key]])))}`
}
