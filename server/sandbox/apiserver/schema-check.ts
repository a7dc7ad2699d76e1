import { type Json, type JsonMap, isMap } from './types.ts'
import { type Schema } from './resource.ts'

export interface SchemaFindings {
  /** The value without fields that the schema does not know. */
  pruned: Json
  unknown: string[]
  wrongTypes: { path: string; got: string; want: string }[]
}

export function checkSchema(value: Json, schema: Schema): SchemaFindings {
  const findings: SchemaFindings = { pruned: null, unknown: [], wrongTypes: [] }
  findings.pruned = visit(value, schema, { path: '', findings })
  findings.unknown.sort()
  return findings
}

interface Visit {
  path: string
  findings: SchemaFindings
}

const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

function visit(value: Json, schema: Schema, at: Visit): Json {
  // An explicit null is the same as leaving the field out.
  if (value === null) return value
  const got = typeOf(value)
  if (schema.type !== undefined && !fits(got, schema.type)) at.findings.wrongTypes.push({ path: at.path, got, want: schema.type })
  if (isMap(value)) return visitMap(value, schema, at)
  if (Array.isArray(value)) return value.map((item, index) => visit(item, schema.items ?? {}, { ...at, path: `${at.path}[${index}]` }))
  return value
}

function visitMap(value: JsonMap, schema: Schema, at: Visit): JsonMap {
  const open = isOpen(schema)
  const result: JsonMap = {}
  for (const [key, child] of Object.entries(value)) {
    const childSchema = schema.properties?.[key] ?? schema.additionalProperties
    const path = below(at.path, key)
    if (childSchema === undefined && !open) at.findings.unknown.push(path)
    else if (child !== null && child !== undefined) result[key] = visit(child, childSchema ?? {}, { ...at, path })
  }
  return result
}

const isOpen = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || (!schema.properties && !schema.additionalProperties)

function typeOf(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

const fits = (got: string, want: string): boolean => got === want || (want === 'number' && got === 'integer')
