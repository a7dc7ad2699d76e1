import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { childPath } from '../../objects/schema-check.ts'

/** The path of a value and its old value. */
export interface SchemaPosition {
  path: string
  old: Json | undefined
}

export const fieldOf = (at: SchemaPosition, key: string): SchemaPosition => ({
  path: childPath(at.path, key),
  old: isMap(at.old) ? (at.old[key] ?? undefined) : undefined,
})

/** Returns the position of a list item. It has an old value only when keys identify the items. */
export function itemOf(
  at: SchemaPosition,
  { item, index }: { item: Json; index: number },
  schema: Schema,
): SchemaPosition {
  const path = `${at.path}[${index}]`
  const keys = schema['x-kubernetes-list-map-keys']
  if (!keys || !isMap(item) || !Array.isArray(at.old)) return { path, old: undefined }
  return {
    path,
    old: at.old.find(
      (other) => isMap(other) && keys.every((key) => isDeepStrictEqual(other[key], item[key])),
    ),
  }
}
