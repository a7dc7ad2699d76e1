import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../../objects/types.ts'
import { type Schema, type SchemaRule } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'
import { type SchemaPosition, fieldOf, itemOf } from './schema-position.ts'

const cache = new WeakMap<Schema, boolean>()

/** True when the schema or one of its subschemas has a rule. */
export function hasRules(schema: Schema): boolean {
  const answer = cache.get(schema)
  if (answer !== undefined) return answer
  const inside = [
    ...Object.values(schema.properties ?? {}),
    schema.additionalProperties,
    schema.items,
  ]
  const found =
    (schema.rules ?? []).length > 0 ||
    inside.some((child) => child !== undefined && hasRules(child))
  cache.set(schema, found)
  return found
}

/** Returns the violated rules of a value, and then those of its fields. */
export function ruleCauses(at: SchemaPosition, value: Json, schema: Schema): Cause[] {
  if (value === null || !hasRules(schema)) return []
  const own = (schema.rules ?? [])
    .filter((rule) => !holds(rule, value, at.old))
    .map(({ message }) => refusal(at.path, value, message))
  return [...own, ...insideCauses(at, value, schema)]
}

function insideCauses(at: SchemaPosition, value: Json, schema: Schema): Cause[] {
  if (isMap(value)) {
    return Object.entries(value).flatMap(([key, child]) => {
      const childSchema = schema.properties?.[key] ?? schema.additionalProperties
      return childSchema && child !== undefined
        ? ruleCauses(fieldOf(at, key), child, childSchema)
        : []
    })
  }
  const { items } = schema
  if (!Array.isArray(value) || !items) return []
  return value.flatMap((item, index) =>
    ruleCauses(itemOf(at, { item, index }, schema), item, items),
  )
}

function holds(rule: SchemaRule, self: Json, old: Json | undefined): boolean {
  if ('holdsAfter' in rule) return old === undefined || rule.holdsAfter(self, old)
  // An unchanged value stays valid when the rule is newer.
  return (old !== undefined && isDeepStrictEqual(old, self)) || rule.holds(self)
}

function refusal(field: string, value: Json, message: string): Cause {
  const prefix = typeof value === 'object' ? '' : `${JSON.stringify(value)}: `
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${prefix}${message}`, field }
}
