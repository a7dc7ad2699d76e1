import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'
import { childPath } from '../../objects/schema-check.ts'

/** A duplicate item in a set, or in a list whose items have keys. */
export interface DuplicateItem {
  list: string
  index: number
  identity: Json
  isKeys: boolean
}

export const duplicateCauses = (value: Json | undefined, schema: Schema): Cause[] =>
  duplicateItems('', value, schema).map(({ list, index, identity }) => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${JSON.stringify(identity)}`,
    field: `${list}[${index}]`,
  }))

/** Returns the duplicate items of all lists in the value, with the path of each list. */
export function duplicateItems(
  path: string,
  value: Json | undefined,
  schema: Schema,
): DuplicateItem[] {
  if (isMap(value)) {
    return Object.entries(value).flatMap(([key, child]) => {
      const childSchema = schema.properties?.[key] ?? schema.additionalProperties
      return childSchema ? duplicateItems(childPath(path, key), child, childSchema) : []
    })
  }
  if (!Array.isArray(value)) return []
  const { items } = schema
  const inside = items
    ? value.flatMap((item, index) => duplicateItems(`${path}[${index}]`, item, items))
    : []
  return [...repeatedIn(path, value, schema), ...inside]
}

/** Reports each duplicate once, however often it occurs. */
function repeatedIn(list: string, value: readonly Json[], schema: Schema): DuplicateItem[] {
  const kind = schema['x-kubernetes-list-type'] ?? 'atomic'
  if (kind === 'atomic') return []
  const identities = value.map((item) => (kind === 'set' ? item : keysOf(item, schema)))
  return identities.flatMap((identity, index) => {
    const earlier = identities.slice(0, index).filter((other) => isDeepStrictEqual(other, identity))
    return earlier.length === 1 ? [{ list, index, identity, isKeys: kind === 'map' }] : []
  })
}

function keysOf(item: Json, schema: Schema): Json {
  const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort()
  if (!isMap(item)) return item
  const all = keys.map((key) => [key, item[key] ?? schema.keyDefaults?.[key]] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}
