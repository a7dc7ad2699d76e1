import { isDeepStrictEqual } from 'node:util'
import { type Json, isMap } from '../../objects/types.ts'
import { type Schema, type SchemaRule } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'
import { type Place, fieldOf, itemOf } from './schema-place.ts'

const known = new WeakMap<Schema, boolean>()

/** Whether the schema states any rule, however deep. */
export function hasRules(schema: Schema): boolean {
  const answer = known.get(schema)
  if (answer !== undefined) return answer
  const inside = [
    ...Object.values(schema.properties ?? {}),
    schema.additionalProperties,
    schema.items,
  ]
  const found =
    (schema.rules ?? []).length > 0 ||
    inside.some((child) => child !== undefined && hasRules(child))
  known.set(schema, found)
  return found
}

/** What the rules refuse, those of a value before those of its fields. */
export function ruleCauses(at: Place, value: Json, schema: Schema): Cause[] {
  if (value === null || !hasRules(schema)) return []
  const own = (schema.rules ?? [])
    .filter((rule) => !holds(rule, value, at.old))
    .map(({ message }) => refusal(at.path, value, message))
  return [...own, ...insideCauses(at, value, schema)]
}

function insideCauses(at: Place, value: Json, schema: Schema): Cause[] {
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
  // What was stored before the rule was made may stay.
  return (old !== undefined && isDeepStrictEqual(old, self)) || rule.holds(self)
}

function refusal(field: string, value: Json, message: string): Cause {
  const shown = typeof value === 'object' ? '' : `${JSON.stringify(value)}: `
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown}${message}`, field }
}
