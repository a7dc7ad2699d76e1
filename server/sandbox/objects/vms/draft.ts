import { type Json, type JsonMap, isMap } from '../types.ts'

/*
 * Functions for a draft: a private, mutable copy of a received object. Stored objects are never
 * changed.
 */

/** The map at the path of a draft, which is created when missing. */
export const within = (draft: JsonMap, ...path: readonly string[]): JsonMap =>
  path.reduce((node, key) => {
    const found = node[key]
    if (isMap(found)) return found
    const made: JsonMap = {}
    node[key] = made
    return made
  }, draft)

/** Sets unset fields; an empty string counts as unset. */
export function setUnset(draft: JsonMap, values: JsonMap): void {
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && isUnset(draft[key])) draft[key] = value
  }
}

export const isUnset = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === ''

/** The list at a key of a draft, which is created when missing. */
export function listIn(draft: JsonMap, key: string): Json[] {
  const found = draft[key]
  if (Array.isArray(found)) return found
  const made: Json[] = []
  draft[key] = made
  return made
}
