import { childPath, typeOf } from '../../objects/schema-check.ts'
import { type Cause } from '../../objects/cause.ts'
import { type Schema } from '../../objects/resource.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import * as schemaTypes from '../../objects/schema.ts'
import { numberOf } from '../../quantity.ts'
import { denyIfAny, unreadable } from '../refusals.ts'
import { enumOf } from './enums.ts'

/*
 * KubeVirt's webhooks see an object before the API server checks its schema. They check it against
 * a schema of their own. Its messages differ and omit list indexes. Then they decode the object
 * into Go types, which are stricter about numbers.
 */
export interface Wire {
  webhook: string
  schema: Schema
  /** The Go struct that the decoder names in its messages. */
  struct: string
}

const { each, int64, list, nullable, object, text, textMap, texts } = schemaTypes

const objectMeta = object({
  ...each(text, 'name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'),
  ...each(int64, 'generation', 'deletionGracePeriodSeconds'),
  ...each(nullable(text), 'creationTimestamp', 'deletionTimestamp'),
  ...each(textMap, 'labels', 'annotations'),
  ...each(list({}), 'ownerReferences', 'managedFields'),
  finalizers: texts,
})

/** Checks the object against the webhook's schema, and returns the webhook's messages. */
export const decodeFindings = ({ spec }: JsonMap, schema: Schema): string[] =>
  fieldFindings(spec === undefined ? {} : { spec }, schema, '')

/** Throws the webhook's denial when it cannot decode the object. */
export function mustDecode({ webhook, schema, struct }: Wire, object: KubeObject): void {
  const causes = decodeFindings(object, schema).map((message): Cause => ({
    reason: '',
    message,
    field: '',
  }))
  denyIfAny(webhook, causes)
  const why = undecodable({ spec: object.spec }, schema, { path: '', struct })
  if (why !== null) throw unreadable(webhook, why)
}

function findings(value: Json, schema: Schema, path: string): string[] {
  if (value === null)
    return schema.nullable === true || schema.type === undefined
      ? []
      : [wrongType(path, schema, value)]
  if (!isOfType(value, schema)) return [wrongType(path, schema, value)]
  if (isMap(value)) return fieldFindings(value, schema, path)
  if (Array.isArray(value)) return value.flatMap((item) => findings(item, schema.items ?? {}, path))
  const known = enumOf(path)
  return known && !known.includes(String(value))
    ? [`${path} in body should be one of [${known.join(' ')}]`]
    : []
}

function fieldFindings(value: JsonMap, schema: Schema, path: string): string[] {
  const isClosed = schema.properties !== undefined && schema.additionalProperties === undefined
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  const unknown = isClosed ? keys.filter((key) => !schema.properties?.[key]) : []
  const missing = (schema.required ?? []).filter(
    (key) => value[key] === undefined && hasNoZero(fieldSchema(schema, key)),
  )
  return [
    ...unknown.map((key) => `${childPath(path, key)} in body is a forbidden property`),
    ...keys.flatMap((key) =>
      findings(value[key] ?? null, fieldSchema(schema, key), childPath(path, key)),
    ),
    ...missing.map((key) => `${childPath(path, key)} in body is required`),
  ]
}

/** True for types without a zero value. Go decodes a missing string or number to its zero value. */
const hasNoZero = (schema: Schema): boolean =>
  schema === schemaTypes.quantity || schema.type === 'object' || schema.type === 'array'

/** The CRD allows any metadata in a template. The webhook checks it against ObjectMeta. */
function fieldSchema({ properties, additionalProperties = {} }: Schema, key: string): Schema {
  const found = properties?.[key] ?? additionalProperties
  const isLoose = key === 'metadata' && found['x-kubernetes-preserve-unknown-fields'] === true
  return isLoose ? { ...objectMeta, nullable: true } : found
}

function isOfType(value: Json, schema: Schema): boolean {
  const got = typeOf(value)
  if (schema['x-kubernetes-int-or-string'] === true)
    return ['integer', 'number', 'string'].includes(got)
  return (
    schema.type === undefined ||
    got === schema.type ||
    (schema.type === 'number' && got === 'integer')
  )
}

function wrongType(
  path: string,
  { type = 'object', format, 'x-kubernetes-int-or-string': mixed }: Schema,
  value: Json,
): string {
  const actual = typeOf(value)
  const got = actual === 'integer' ? 'number' : actual
  const tellsFormat =
    type === 'integer' && format !== undefined && !['string', 'array', 'null'].includes(got)
  const [want, is] = tellsFormat
    ? [goTypeOf(path, format), got === 'number' ? 'double' : '']
    : [type, got]
  return `${path} in body must be of type ${mixed === true ? 'string,integer,number' : want}: "${is}"`
}

const unsigned: Readonly<Record<string, 'uint32' | 'uint'>> = {
  cores: 'uint32',
  sockets: 'uint32',
  maxSockets: 'uint32',
  threads: 'uint32',
  spinlocks: 'uint32',
  supplementalPoolThreadCount: 'uint32',
  bootOrder: 'uint',
  logical: 'uint',
  physical: 'uint',
  discardGranularity: 'uint',
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
const goTypeOf = (path: string, format: string): string =>
  unsigned[lastOf(path)] === undefined ? format : 'int64'

interface At {
  path: string
  struct: string
}

/** Returns the first error of Go's decoder, or null when it decodes the value. */
function undecodable(value: Json | undefined, schema: Schema, at: At): string | null {
  if (isMap(value)) {
    return firstOf(Object.keys(value).sort(), (key) =>
      undecodable(value[key], fieldSchema(schema, key), { ...at, path: childPath(at.path, key) }),
    )
  }
  if (Array.isArray(value))
    return firstOf(value, (item) => undecodable(item, schema.items ?? {}, at))
  if (schema === schemaTypes.quantity) return badQuantity(value)
  return typeof value === 'number' ? badNumber(value, schema, at) : null
}

function firstOf<T>(all: readonly T[], find: (each: T) => string | null): string | null {
  for (const each of all) {
    const found = find(each)
    if (found !== null) return found
  }
  return null
}

function badQuantity(value: Json | undefined): string | null {
  if (numberOf(value) !== null) return null
  if (typeof value === 'string' && /^[+-]?[0-9.]+/.test(value))
    return "unable to parse quantity's suffix"
  return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
}

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint: [0, Number.MAX_SAFE_INTEGER],
}

function badNumber(
  value: number,
  { format = 'int64' }: Schema,
  { path, struct }: At,
): string | null {
  const type = unsigned[lastOf(path)] ?? format
  const [least, most] = ranges[type] ?? [-Infinity, Infinity]
  if (value >= least && value <= most) return null
  return `json: cannot unmarshal number ${value} into Go struct field ${struct}.${path} of type ${type}`
}
