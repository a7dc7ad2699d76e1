import { canonical } from '../quantity.ts'
import { type Json, type JsonMap, isMap } from './types.ts'
import { type Schema } from './resource.ts'
import { isQuantity } from './schema.ts'

/*
 * Built-in kinds are Go structs that the API server stores as protobuf. That form has no empty
 * lists and maps and no zero values, except in fields that are pointers, and quantities have one
 * canonical form. Custom kinds are stored as they were sent.
 */

/** Returns the form in which the API server stores and returns the value of a built-in kind. */
export function storedForm<T extends JsonMap>(value: T, schema: Schema): T {
  // The cast holds because only optional fields are removed.
  return structForm(value, schema) as T
}

function valueForm(value: Json, schema: Schema): Json {
  if (isQuantity(schema)) return quantityForm(value)
  if (isMap(value)) return structForm(value, schema)
  const { items } = schema
  return Array.isArray(value) && items ? value.map((item) => valueForm(item, items)) : value
}

const quantityForm = (value: Json): Json =>
  typeof value === 'string' || typeof value === 'number' ? canonical(value) : value

function structForm(value: JsonMap, schema: Schema): JsonMap {
  const { properties = {} } = schema
  const written = Object.entries(value).flatMap(([key, child]) =>
    child === undefined ? [] : fieldForm(key, child, schema),
  )
  const absent = Object.entries(properties).flatMap(([key, field]) => absentForm(key, field))
  return { ...Object.fromEntries(absent), ...Object.fromEntries(written) }
}

type Field = [key: string, value: Json]

function fieldForm(key: string, child: Json, schema: Schema): Field[] {
  const field = schema.properties?.[key]
  const form = valueForm(child, field ?? schema.additionalProperties ?? {})
  return field === undefined || isStored(form, field) ? [[key, form]] : []
}

const isStored = (value: Json, schema: Schema): boolean =>
  schema.zero === 'stored' || !isZero(value, schema)

/** A field that the client omits. */
function absentForm(key: string, field: Schema): Field[] {
  if (field.zero === 'null') return [[key, null]]
  return field.zero === 'written' ? [[key, zeroOf(field)]] : []
}

/** True for a value that Go omits. An empty struct was a pointer, so it stays. */
function isZero(value: Json, schema: Schema): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isMap(value)) return isTextMap(schema) && Object.keys(value).length === 0
  return value === null || value === '' || value === 0 || value === false
}

const isTextMap = ({ additionalProperties }: Schema): boolean => additionalProperties !== undefined

function zeroOf(schema: Schema): Json {
  if (schema.type === 'object') return structForm({}, schema)
  return schema.type === 'integer' ? 0 : ''
}

/** True when the value has an empty list or map, which the stored form lacks. */
export function hasEmpty(value: Json | undefined, schema: Schema): boolean {
  if (Array.isArray(value))
    return value.length === 0 || value.some((item) => hasEmpty(item, schema.items ?? {}))
  if (!isMap(value)) return false
  if (isTextMap(schema) && Object.keys(value).length === 0) return true
  return Object.entries(value).some(([key, child]) =>
    hasEmpty(child, schema.properties?.[key] ?? schema.additionalProperties ?? {}),
  )
}
