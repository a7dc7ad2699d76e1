import { type Json } from '../json.ts'
interface JsonSchema {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  items?: JsonSchema
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  default?: unknown
  additionalProperties?: false
  anyOf?: readonly JsonSchema[]
  $ref?: string
}

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
}

const known = [
  'type',
  'format',
  'enum',
  'const',
  'items',
  'properties',
  'required',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'default',
  'additionalProperties',
  'anyOf',
  '$ref',
  'description',
]

/**
 * Validates a value against a JSON schema and returns the violations. It supports only the keywords
 * of Berth's OpenAPI document, and reports any other keyword.
 */
export function violations(
  schema: JsonSchema,
  value: unknown,
  { document, at = '$' }: { document: Json; at?: string },
): string[] {
  if (schema.$ref) return violations(referred(schema, document), value, { document, at })
  if (schema.anyOf) return ofOne(schema.anyOf, value, { document, at })
  const unknownWords = Object.keys(schema)
    .filter((word) => !known.includes(word))
    .map((word) => `${at}: unknown keyword ${word}`)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (
    types.length > 0 &&
    !types.includes(typeOf(value)) &&
    !(types.includes('number') && typeOf(value) === 'integer')
  )
    return [...unknownWords, `${at}: ${typeOf(value)} is no ${types.join(' or ')}`]
  if (value === null) return unknownWords
  return [
    ...unknownWords,
    ...ofScalar(schema, value, at),
    ...ofObject(schema, value, { document, at }),
    ...ofList(schema, value, { document, at }),
  ]
}

/** Returns the schema that a reference stands for, or the schema itself. */
export const referred = (schema: JsonSchema, document: Json): JsonSchema =>
  schema.$ref
    ? schema.$ref
        .slice(2)
        .split('/')
        .reduce((part, name) => part[name], document)
    : schema

/** Returns the violations of the schema that the value fits best. */
function ofOne(
  schemas: readonly JsonSchema[],
  value: unknown,
  context: { document: Json; at: string },
): string[] {
  const [best = []] = schemas
    .map((schema) => violations(schema, value, context))
    .toSorted((a, b) => a.length - b.length)
  return best
}

function ofScalar(schema: JsonSchema, value: unknown, at: string): string[] {
  const { enum: words, const: only, format } = schema
  // An unknown format matches nothing.
  const shape = format === undefined ? /^/ : (formats[format] ?? /$^/)
  const complaints: [boolean, string][] = [
    [words !== undefined && !words.includes(value), `is none of ${words?.join(', ')}`],
    [only !== undefined && value !== only, `is not ${JSON.stringify(only)}`],
    [!shape.test(String(value)), `is no ${format}`],
    [typeof value === 'number' && !isInRange(schema, value), 'is too small or too large'],
    [typeof value === 'string' && !isWithin(schema, value), 'has another length or pattern'],
  ]
  return complaints.flatMap(([isBroken, complaint]) =>
    isBroken ? [`${at}: ${JSON.stringify(value)} ${complaint}`] : [],
  )
}

const isInRange = (
  { minimum = -Infinity, maximum = Infinity }: JsonSchema,
  number: number,
): boolean => number >= minimum && number <= maximum

const isWithin = (
  { minLength = 0, maxLength = Infinity, pattern = '' }: JsonSchema,
  text: string,
): boolean =>
  text.length >= minLength && text.length <= maxLength && new RegExp(pattern, 'u').test(text)

function ofObject(
  { properties, required = [] }: JsonSchema,
  value: unknown,
  { document, at }: { document: Json; at: string },
): string[] {
  if (!properties || typeof value !== 'object') return []
  const row = value as Record<string, unknown>
  const missing = required
    .filter((name) => !Object.hasOwn(row, name))
    .map((name) => `${at}.${name}: missing`)
  return [
    ...missing,
    ...Object.entries(row).flatMap(([name, child]) => {
      const schema = properties[name]
      return schema
        ? violations(schema, child, { document, at: `${at}.${name}` })
        : [`${at}.${name}: not in the schema`]
    }),
  ]
}

function ofList(
  { items, minItems = 0, maxItems = Infinity }: JsonSchema,
  value: unknown,
  { document, at }: { document: Json; at: string },
): string[] {
  if (!items || !Array.isArray(value)) return []
  const isWithinLimits = value.length >= minItems && value.length <= maxItems
  return [
    ...(isWithinLimits ? [] : [`${at}: has ${value.length} elements`]),
    ...value.flatMap((child, index) =>
      violations(items, child, { document, at: `${at}[${index}]` }),
    ),
  ]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
