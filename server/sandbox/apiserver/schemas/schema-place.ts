import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { below } from '../../objects/schema-check.ts'

/** Where a value stands, and what stood there before. */
export interface Place {
  path: string
  old: Json | undefined
}

export const fieldOf = (at: Place, key: string): Place => ({
  path: below(at.path, key),
  old: isMap(at.old) ? (at.old[key] ?? undefined) : undefined,
})

/** Items have a past only where keys tell them apart. */
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
