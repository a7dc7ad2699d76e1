import { type Json, type JsonMap, isMap } from '../types.ts'

/*
 * Defaults are written into a private copy of what came: a draft. These are the words for it; what
 * is stored is never written to.
 */

/** The map at the path of a draft, made where it is missing. */
export const within = (draft: JsonMap, ...path: readonly string[]): JsonMap =>
  path.reduce((node, key) => {
    const found = node[key]
    if (isMap(found)) return found
    const made: JsonMap = {}
    node[key] = made
    return made
  }, draft)

/** Sets what nobody has said yet; an empty text says nothing. */
export function setUnset(draft: JsonMap, values: JsonMap): void {
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && isUnset(draft[key])) draft[key] = value
  }
}

export const isUnset = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === ''

/** The list at a key of a draft, to be added to. */
export function listIn(draft: JsonMap, key: string): Json[] {
  const found = draft[key]
  if (Array.isArray(found)) return found
  const made: Json[] = []
  draft[key] = made
  return made
}
