import { type Schema } from '../json-schema.ts'

/** Returns a part of the document with each schema changed. Schemas are under the name `schema`. */
export function mapSchemas<Part>(part: Part, change: (schema: Schema) => Schema): Part {
  // Only schemas change, and they remain schemas.
  return mapped(part, change) as Part
}

function mapped(value: unknown, change: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]: [string, unknown]) => [
      name,
      // The document has nothing else under this name.
      name === 'schema' ? change(child as Schema) : mapped(child, change),
    ]),
  )
}
