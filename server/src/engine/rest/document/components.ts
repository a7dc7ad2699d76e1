import { isDeepStrictEqual } from 'node:util'
import { type Schema } from '../json-schema.ts'
import { mapSchemas } from './map-schemas.ts'
import { type OpenApi } from './openapi.ts'

/** Moves the named schemas of a document to its components, which each use then refers to. */
export function withComponents({ paths, components, ...document }: OpenApi): OpenApi {
  const named = new Components()
  const hoisted = mapSchemas(paths, (schema) => named.hoist(schema))
  return { ...document, paths: hoisted, components: { ...components, schemas: named.schemas() } }
}

/**
 * The named schemas of a document. Schemas are declared where they are used. `hoist` moves each
 * named one here and returns a reference to it, so that generated clients have one type for it.
 */
class Components {
  readonly #schemas = new Map<string, Schema>()

  /** Returns the schema with references in place of the named schemas in it. */
  hoist(schema: Schema): Schema {
    const { component, describedBy: _, remark: __, ...rest } = schema
    const hoisted = this.#hoistParts(rest)
    if (!component) return hoisted
    const { description, type, ...own } = hoisted
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

  #hoistParts(schema: Schema): Schema {
    const { properties, items, ...rest } = schema
    return {
      ...rest,
      ...(items && { items: this.hoist(items) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, this.hoist(property)]),
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
