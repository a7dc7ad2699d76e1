import { type Json, type JsonMap, isMap } from './types.ts'
import { type Schema } from './resource.ts'

/** The result of checking a value against a schema. */
export interface SchemaFindings {
  /** The value without unknown fields, with defaults of the schema. */
  pruned: Json
  unknown: string[]
  wrongTypes: WrongType[]
}

export interface WrongType {
  path: string
  /** The path without list indexes and map keys, as Go's decoder names a field. */
  field: string
  value: Json
  got: string
  schema: Schema
}

/** Checks fields and types of a value, prunes unknown fields and sets defaults. */
export function checkSchema(value: Json, schema: Schema): SchemaFindings {
  const findings: SchemaFindings = { pruned: null, unknown: [], wrongTypes: [] }
  findings.pruned = check(value, schema, { path: '', field: '', findings })
  findings.unknown.sort()
  return findings
}

interface Position {
  path: string
  field: string
  findings: SchemaFindings
}

export const childPath = (path: string, key: string): string =>
  path === '' ? key : `${path}.${key}`

function check(value: Json, schema: Schema, at: Position): Json {
  if (value === null) return value
  const got = typeOf(value)
  if (!fits(got, schema))
    at.findings.wrongTypes.push({ path: at.path, field: at.field, value, got, schema })
  if (isMap(value)) return withDefaults(checkMap(value, schema, at), schema)
  if (Array.isArray(value))
    return value.map((item, index) =>
      check(item, schema.items ?? {}, { ...at, path: `${at.path}[${index}]` }),
    )
  return value
}

function checkMap(value: JsonMap, schema: Schema, at: Position): JsonMap {
  const result: JsonMap = {}
  for (const [key, child] of Object.entries(value)) {
    const childSchema = schema.properties?.[key] ?? schema.additionalProperties
    const path = childPath(at.path, key)
    if (childSchema === undefined && !isOpen(schema)) at.findings.unknown.push(path)
    else if (isPresent(child, childSchema)) {
      const field = schema.properties?.[key] === undefined ? at.field : childPath(at.field, key)
      result[key] = check(child, childSchema ?? {}, { ...at, path, field })
    }
  }
  return result
}

/** True when the field stays. An explicit null counts as absent unless the schema allows null. */
const isPresent = (child: Json | undefined, schema: Schema | undefined): child is Json =>
  child !== undefined && (child !== null || schema === undefined || schema.nullable === true)

function withDefaults(value: JsonMap, schema: Schema): JsonMap {
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    if (child.default !== undefined && value[key] === undefined)
      value[key] = structuredClone(child.default)
  }
  return value
}

/** True when unknown fields stay. A schema without a type allows them, too. */
const isOpen = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.type === undefined

export function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function fits(got: string, { type, 'x-kubernetes-int-or-string': intOrText }: Schema): boolean {
  // Any number is accepted: built-in kinds take quantities such as 0.5, and custom kinds are
  // checked by the rest of their schema.
  if (intOrText === true) return got !== 'array' && got !== 'object'
  return type === undefined || got === type || (type === 'number' && got === 'integer')
}
