import { type Json } from './types.ts'
import { type Schema, type SchemaRule } from './resource.ts'

/*
 * Builders for the schemas of the kinds. `object` lists the fields of a struct, followed by the
 * names of the required ones.
 *
 * Server-side apply replaces a list without a list type as a whole, like an `atomic` one. CRDs use
 * both forms.
 */
export type Fields = Readonly<Record<string, Schema>>

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }
export const int: Schema = { type: 'integer' }
export const int32: Schema = { type: 'integer', format: 'int32' }
export const int64: Schema = { type: 'integer', format: 'int64' }
export const uint32: Schema = { ...int64, minimum: 0, maximum: 4294967295 }
export const time: Schema = { type: 'string', format: 'date-time' }
export const intOrText: Schema = { 'x-kubernetes-int-or-string': true }
export const quantity: Schema = {
  ...intOrText,
  pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
}

/** True for a quantity, such as 2Gi. */
export const isQuantity = ({ pattern }: Schema): boolean => pattern === quantity.pattern

/** A struct without fields: everything in it is pruned. */
export const empty: Schema = { type: 'object' }
export const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

export const object = (properties: Fields, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
})

/** Several fields of one type: `each(text, 'kernelPath', 'initrdPath')`. */
export const each = (schema: Schema, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, schema]))

/** A struct of optional fields of one type. */
export const structOf = (schema: Schema, ...names: readonly string[]): Schema =>
  object(each(schema, ...names))

export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })
export const textMap = mapOf(text)
export const quantities = mapOf(quantity)

export const list = (items: Schema): Schema => ({ type: 'array', items })
export const atomicList = (items: Schema): Schema => ({
  ...list(items),
  'x-kubernetes-list-type': 'atomic',
})
export const setOf = (items: Schema): Schema => ({
  ...list(items),
  'x-kubernetes-list-type': 'set',
})
export const listBy = (keys: readonly string[], items: Schema): Schema => ({
  ...list(items),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
})
export const texts = list(text)
export const atomicTexts = atomicList(text)

/** A field of a built-in kind that is an optional pointer: its zero value is stored. */
export const pointer = (schema: Schema): Schema => ({ ...schema, zero: 'stored' })
/** A field of a built-in kind that is always written, with its zero value when it is absent. */
export const written = (schema: Schema): Schema => ({ ...schema, zero: 'written' })
/** A field of a built-in kind that is null when it is absent or empty. */
export const orNull = (schema: Schema): Schema => ({ ...schema, zero: 'null' })

export const oneOf = (...values: readonly string[]): Schema => ({ ...text, enum: values })
export const within = (schema: Schema, minimum: number, maximum?: number): Schema => ({
  ...schema,
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
})
export const atMost = (maxItems: number, schema: Schema): Schema => ({ ...schema, maxItems })
export const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true })
export const atomic = (schema: Schema): Schema => ({ ...schema, 'x-kubernetes-map-type': 'atomic' })
export const withDefault = (value: Json, schema: Schema): Schema => ({ ...schema, default: value })
export const checked = (schema: Schema, ...rules: readonly SchemaRule[]): Schema => ({
  ...schema,
  rules,
})
