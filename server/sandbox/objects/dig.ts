import { type Json, type JsonMap, isMap } from './types.ts'

/**
 * Readers of values at a dotted path. A missing value, or one of another type, is read as empty.
 */
export const dig = {
  any: (from: Json | undefined, path: string): Json | undefined =>
    path
      .split('.')
      .reduce<Json | undefined>((node, key) => (isMap(node) ? node[key] : undefined), from),

  text(from: Json | undefined, path: string): string {
    const value = dig.any(from, path)
    return typeof value === 'string' ? value : ''
  },

  number(from: Json | undefined, path: string): number {
    const value = dig.any(from, path)
    return typeof value === 'number' ? value : 0
  },

  map(from: Json | undefined, path: string): JsonMap {
    const value = dig.any(from, path)
    return isMap(value) ? value : {}
  },

  list(from: Json | undefined, path: string): Json[] {
    const value = dig.any(from, path)
    return Array.isArray(value) ? value : []
  },

  texts: (from: Json | undefined, path: string): string[] => dig.list(from, path).map(String),
}
