import { isDeepStrictEqual } from 'node:util'
import { type Schema } from '../json-schema.ts'
import { type OpenApi } from './openapi.ts'

/** Moves the named schemas of a document to its components, which each use then refers to. */
export function withComponents({ paths, components, ...document }: OpenApi): OpenApi {
  const named = new Components()
  // Only schemas are replaced, by schemas.
  const placed = placeSchemas(paths, (schema) => named.place(schema)) as OpenApi['paths']
  return { ...document, paths: placed, components: { ...components, schemas: named.schemas() } }
}

/** Replaces the schemas inside a value, which are under the name `schema`. */
function placeSchemas(value: unknown, place: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => placeSchemas(item, place))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child]: [string, unknown]) => [
      name,
      // The document has nothing else under this name.
      name === 'schema' ? place(child as Schema) : placeSchemas(child, place),
    ]),
  )
}

/**
 * The named schemas of a document. Schemas are declared where they are used. `place` moves each
 * named one here and returns a reference to it, so that generated clients have one type for it.
 */
class Components {
  readonly #schemas = new Map<string, Schema>()

  /** Returns the schema with references in place of the named schemas in it. */
  place(schema: Schema): Schema {
    const { component, describedBy: _, ...rest } = schema
    const placed = this.#placeParts(rest)
    if (!component) return placed
    const { description, type, ...own } = placed
    this.#add(component.name, {
      ...(component.description ? { description: component.description } : {}),
      ...own,
      type: 'object',
    })
    const reference = { $ref: `#/components/schemas/${component.name}` }
    const isNullable = [type].flat().includes('null')
    return {
      ...(isNullable ? { anyOf: [reference, { type: 'null' }] } : reference),
      ...(description === undefined ? {} : { description }),
    }
  }

  /** Returns the schemas in the order of their names. */
  schemas(): Record<string, Schema> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #placeParts(schema: Schema): Schema {
    const { properties, items, ...rest } = schema
    return {
      ...rest,
      ...(items && { items: this.place(items) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, this.place(property)]),
        ),
      }),
    }
  }

  #add(name: string, schema: Schema): void {
    const known = this.#schemas.get(name)
    if (known && !isDeepStrictEqual(known, schema))
      throw new TypeError(`the REST interface has two schemas with the name ${name}`)
    this.#schemas.set(name, schema)
  }
}
