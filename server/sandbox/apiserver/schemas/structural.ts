import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'
import { childPath, typeOf } from '../../objects/schema-check.ts'
import { duplicateCauses } from './list-keys.ts'
import { type SchemaPosition, fieldOf, itemOf } from './schema-position.ts'
import { hasRules, ruleCauses } from './schema-rules.ts'
import { limitCauses } from './schema-limits.ts'

/*
 * Validates an object against the schema of its CRD, in the order of the API server: the schema
 * from the outside in, list keys, then rules. Rules are skipped after a basic error. An unchanged
 * stored value stays valid even when the schema refuses it now.
 */
export function schemaCauses(
  resource: Resource,
  object: KubeObject,
  old: KubeObject | null,
): Cause[] {
  if (!resource.custom) return []
  const { schema } = resource
  const before = old ?? undefined
  const causes = valueCauses({ path: '', old: before }, object, schema)
  if (duplicateCauses(before, schema).length === 0) causes.push(...duplicateCauses(object, schema))
  if (!hasRules(schema)) return causes
  return causes.some(({ reason }) => blocking.has(reason))
    ? [...causes, rulesSkipped]
    : [...causes, ...ruleCauses({ path: '', old: before }, object, schema)]
}

const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const rulesSkipped: Cause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
}

function valueCauses(at: SchemaPosition, value: Json, schema: Schema): Cause[] {
  if (at.old !== undefined && isDeepStrictEqual(at.old, value)) return []
  if (value === null && schema.nullable === true) return []
  const wrong = typeCauses(at.path, value, schema)
  if (wrong.length > 0) return wrong
  if (isMap(value))
    return [...limitCauses(at.path, value, schema), ...fieldCauses(at, value, schema)]
  if (Array.isArray(value))
    return [...limitCauses(at.path, value, schema), ...itemCauses(at, value, schema)]
  return limitCauses(at.path, value, schema)
}

function fieldCauses(at: SchemaPosition, value: JsonMap, schema: Schema): Cause[] {
  const causes = Object.entries(value).flatMap(([key, child]) => {
    const childSchema = schema.properties?.[key] ?? schema.additionalProperties
    if (childSchema === undefined || child === undefined || isMetadata(at.path, key)) return []
    return valueCauses(fieldOf(at, key), child, childSchema)
  })
  const missing = (schema.required ?? []).filter((key) => value[key] === undefined)
  return [
    ...causes,
    ...missing.map((key) => ({
      reason: 'FieldValueRequired',
      message: 'Required value',
      field: childPath(at.path, key),
    })),
  ]
}

/** The metadata of the object is validated separately. */
const isMetadata = (path: string, key: string): boolean => path === '' && key === 'metadata'

function itemCauses(at: SchemaPosition, value: readonly Json[], schema: Schema): Cause[] {
  const { items } = schema
  if (!items) return []
  return value.flatMap((item, index) =>
    valueCauses(itemOf(at, { item, index }, schema), item, items),
  )
}

function typeCauses(path: string, value: Json, schema: Schema): Cause[] {
  const got = typeOf(value)
  if (schema['x-kubernetes-int-or-string'] === true)
    return got === 'integer' || got === 'string' ? [] : neitherCauses(path, got, schema)
  const { type } = schema
  if (type === undefined || got === type || (type === 'number' && got === 'integer')) return []
  // Only strings are checked as dates. A list passes, as on a real API server.
  if (schema.format === 'date-time' && got === 'array') return []
  return [typeCause(path, ...expectedType(type, got, schema))]
}

const typeCause = (path: string, expected: string, actual: string): Cause => ({
  reason: 'FieldValueTypeInvalid',
  message: `Invalid value: "${actual}": ${path} in body must be of type ${expected}: "${actual}"`,
  field: path,
})

/**
 * Reports a value that is neither integer nor string. A CRD without a type reports it twice: as an
 * extension and as a choice of types.
 */
function neitherCauses(path: string, got: string, { type }: Schema): Cause[] {
  const neither = typeCause(path, 'integer,string', got)
  if (type !== undefined) return [neither]
  const choice = {
    reason: 'FieldValueInvalid',
    message: `Invalid value: "": "${path}" must validate at least one schema (anyOf)`,
    field: '<nil>',
  }
  return [neither, choice, typeCause(path, 'integer', got)]
}

/**
 * Returns the type names for the error. The format of a number is compared with the format of the
 * value, which only numbers have.
 */
function expectedType(
  type: string,
  got: string,
  { format }: Schema,
): [expected: string, actual: string] {
  if (type !== 'integer' || format === undefined || ['string', 'array', 'null'].includes(got))
    return [type, got]
  return [format, got === 'number' ? 'float64' : '']
}
