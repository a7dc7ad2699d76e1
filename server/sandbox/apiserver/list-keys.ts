import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from './types.ts'
import { type Schema } from './resource.ts'
import { type Cause } from './cause.ts'
import { below } from './schema-check.ts'

/** Items that occur twice in a set, or share their keys in a list that is told apart by keys. */
export function duplicateCauses(path: string, value: Json | undefined, schema: Schema): Cause[] {
  if (isMap(value)) {
    return Object.entries(value).flatMap(([key, child]) => {
      const childSchema = schema.properties?.[key] ?? schema.additionalProperties
      return childSchema ? duplicateCauses(below(path, key), child, childSchema) : []
    })
  }
  if (!Array.isArray(value)) return []
  const { items } = schema
  const inside = items ? value.flatMap((item, index) => duplicateCauses(`${path}[${index}]`, item, items)) : []
  return [...twice(path, value, schema), ...inside]
}

function twice(path: string, value: readonly Json[], schema: Schema): Cause[] {
  const kind = schema['x-kubernetes-list-type'] ?? 'atomic'
  if (kind === 'atomic') return []
  const identities = value.map((item) => (kind === 'set' ? item : keysOf(item, schema)))
  const first = identities.map((identity) => identities.findIndex((other) => isDeepStrictEqual(other, identity)))
  return identities.flatMap((identity, index) =>
    first[index] === index
      ? []
      : [{ reason: 'FieldValueDuplicate', message: `Duplicate value: ${JSON.stringify(identity)}`, field: `${path}[${index}]` }],
  )
}

function keysOf(item: Json, schema: Schema): Json {
  const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort()
  return isMap(item) ? Object.fromEntries(keys.filter((key) => item[key] !== undefined).map((key) => [key, item[key]])) : item
}
