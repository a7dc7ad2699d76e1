import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Json } from '../json.ts'

/*
 * Validates objects against the structural schemas of CustomResourceDefinitions, like the API
 * server with strict field validation.
 */
const folder = fileURLToPath(new URL('../../../../shared/data/crds', import.meta.url))

export const crdsPresent = existsSync(folder)

/** The schemas by `group/version/Kind`. */
export function crdSchemas(): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>()
  for (const file of readdirSync(folder)) {
    const { spec }: Json = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    for (const { name, schema } of spec.versions)
      found.set(`${spec.group}/${name}/${spec.names.kind}`, schema.openAPIV3Schema)
  }
  return found
}

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  items?: Schema
  enum?: unknown[]
  pattern?: string
  format?: string
  nullable?: boolean
  anyOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-list-type'?: string
  'x-kubernetes-list-map-keys'?: string[]
}

/** Returns one line for each violation; empty when the object is valid. */
export function violations(value: unknown, schema: Schema, path = ''): string[] {
  if (value === null) return schema.nullable === true ? [] : [`${path}: null`]
  if (schema['x-kubernetes-int-or-string'] === true)
    return [...wrongType(value, ['integer', 'string'], path), ...wrongText(value, schema, path)]
  const wrong = schema.type === undefined ? [] : wrongType(value, [schema.type], path)
  if (wrong.length > 0) return wrong
  return [
    ...(schema.enum && !schema.enum.includes(value)
      ? [`${path}: ${JSON.stringify(value)} is none of ${schema.enum.join(', ')}`]
      : []),
    ...wrongText(value, schema, path),
    ...wrongNumber(value, schema, path),
    ...wrongItems(value, schema, path),
    ...wrongProperties(value, schema, path),
  ]
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function wrongType(value: unknown, types: string[], path: string): string[] {
  const type = typeOf(value)
  return types.includes(type) || (type === 'integer' && types.includes('number'))
    ? []
    : [`${path}: ${type} instead of ${types.join(' or ')}`]
}

function wrongText(value: unknown, schema: Schema, path: string): string[] {
  if (typeof value !== 'string') return []
  return isShaped(value, schema) && isSized(value, schema)
    ? []
    : [`${path}: ${JSON.stringify(value)} does not fit ${schema.pattern ?? 'its format'}`]
}

const isShaped = (text: string, { pattern = '', format }: Schema): boolean =>
  new RegExp(pattern).test(text) &&
  (format !== 'byte' || Buffer.from(text, 'base64').toString('base64') === text)

const isSized = ({ length }: string, { minLength = 0, maxLength = Infinity }: Schema): boolean =>
  length >= minLength && length <= maxLength

/** The ranges of the number formats. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [-(2 ** 63), 2 ** 63],
}

function wrongNumber(
  value: unknown,
  { minimum = -Infinity, maximum = Infinity, format = '' }: Schema,
  path: string,
): string[] {
  if (typeof value !== 'number') return []
  const [least, most] = ranges[format] ?? [-Infinity, Infinity]
  return value >= Math.max(minimum, least) && value <= Math.min(maximum, most)
    ? []
    : [`${path}: ${value} is out of range`]
}

function wrongItems(value: unknown, schema: Schema, path: string): string[] {
  if (!Array.isArray(value)) return []
  const { items = {}, maxItems = Infinity } = schema
  const tooMany = value.length > maxItems ? [`${path}: ${value.length} items`] : []
  const keys = value.map((item) => keyOf(item, schema))
  const doubled = keys
    .filter((key, index) => key !== null && keys.indexOf(key) !== index)
    .map((key) => `${path}: ${key} twice`)
  return [
    ...tooMany,
    ...doubled,
    ...value.flatMap((item, index) => violations(item, items, `${path}[${index}]`)),
  ]
}

function keyOf(
  item: Json,
  { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys = [] }: Schema,
): string | null {
  if (type === 'map') return JSON.stringify(keys.map((key) => item[key]))
  return type === 'set' ? JSON.stringify(item) : null
}

/** Fields of every object, which the API server checks without the schema. */
const ofEveryObject = ['apiVersion', 'kind', 'metadata']

function wrongProperties(value: unknown, schema: Schema, path: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const { required = [], properties = {}, additionalProperties } = schema
  const missing = required
    .filter((name) => !(name in value))
    .map((name) => `${path}.${name}: missing`)
  const own = Object.entries(value).flatMap(([name, part]) => {
    const fieldPath = `${path}.${name}`
    if (path === '' && ofEveryObject.includes(name)) return []
    const known = properties[name]
    if (known) return violations(part, known, fieldPath)
    if (typeof additionalProperties === 'object')
      return violations(part, additionalProperties, fieldPath)
    return additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true
      ? []
      : [`${fieldPath}: unknown field`]
  })
  return [...missing, ...own]
}
