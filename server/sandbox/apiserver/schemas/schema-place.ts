import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { below } from '../../objects/schema-check.ts'

/** The path of a value and its old value. */
export interface Place {
  path: string
  old: Json | undefined
}

export const fieldOf = (at: Place, key: string): Place => ({
  path: below(at.path, key),
  old: isMap(at.old) ? (at.old[key] ?? undefined) : undefined,
})

/** Returns the position of a list item. It has an old value only when keys identify the items. */
export function itemOf(
  at: Place,
  { item, index }: { item: Json; index: number },
  schema: Schema,
): Place {
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
