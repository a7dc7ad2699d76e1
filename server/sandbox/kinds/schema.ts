import { type Json } from '../apiserver/types.ts'
import { type Schema, type SchemaRule } from '../apiserver/resource.ts'

/*
 * The words in which the schemas of the kinds are written. A struct lists its fields; the names of those that must be there follow.
 * A list without a list type is replaced whole by server-side apply, as one that says `atomic`; CRDs differ in which of the two they write.
 */
export type Fields = Readonly<Record<string, Schema>>

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const int: Schema = { type: 'integer' }
const int32: Schema = { type: 'integer', format: 'int32' }
const int64: Schema = { type: 'integer', format: 'int64' }
const uint32: Schema = { ...int64, minimum: 0, maximum: 4294967295 }
const time: Schema = { type: 'string', format: 'date-time' }
const intOrText: Schema = { 'x-kubernetes-int-or-string': true }
const quantity: Schema = {
  ...intOrText,
  pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
}

/** A struct without fields: everything in it is pruned. */
const empty: Schema = { type: 'object' }
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const object = (properties: Fields, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
})

/** Several fields of one type: `each(text, 'kernelPath', 'initrdPath')`. */
const each = (schema: Schema, ...names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, schema]))

/** A struct of optional fields of one type. */
const structOf = (schema: Schema, ...names: readonly string[]): Schema => object(each(schema, ...names))

const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values })
const textMap = mapOf(text)
const quantities = mapOf(quantity)

const list = (items: Schema): Schema => ({ type: 'array', items })
const atomicList = (items: Schema): Schema => ({ ...list(items), 'x-kubernetes-list-type': 'atomic' })
const setOf = (items: Schema): Schema => ({ ...list(items), 'x-kubernetes-list-type': 'set' })
const listBy = (keys: readonly string[], items: Schema): Schema => ({
  ...list(items),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
})
const texts = list(text)
const atomicTexts = atomicList(text)

const oneOf = (...values: readonly string[]): Schema => ({ ...text, enum: values })
const within = (schema: Schema, minimum: number, maximum?: number): Schema => ({
  ...schema,
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
})
const atMost = (maxItems: number, schema: Schema): Schema => ({ ...schema, maxItems })
const nullable = (schema: Schema): Schema => ({ ...schema, nullable: true })
const atomic = (schema: Schema): Schema => ({ ...schema, 'x-kubernetes-map-type': 'atomic' })
const withDefault = (value: Json, schema: Schema): Schema => ({ ...schema, default: value })
const checked = (schema: Schema, ...rules: readonly SchemaRule[]): Schema => ({ ...schema, rules })

/** To be taken apart where they are used: `const { object, text } = words`. */
export const words = {
  text,
  flag,
  int,
  int32,
  int64,
  uint32,
  time,
  intOrText,
  quantity,
  empty,
  anything,
  object,
  each,
  structOf,
  mapOf,
  textMap,
  quantities,
  list,
  atomicList,
  setOf,
  listBy,
  texts,
  atomicTexts,
  oneOf,
  within,
  atMost,
  nullable,
  atomic,
  withDefault,
  checked,
}
