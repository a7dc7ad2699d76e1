import { type Schema, object } from './shapes.ts'

/**
 * The fields of a body by their names on this wire, in the order in which they are sent or read: of
 * two wrong fields the refusal names the first. A name ending in `?` may be absent. A field is its
 * schema, or its schema and what else must be said.
 */
export type FieldTable<Described extends Place> = Readonly<Record<string, Schema | Described>>

export interface Place {
  /** Null for a field that is not on the wire. */
  schema: Schema | null
  /**
   * The field before which the OpenAPI document has this one; null for the end. Without it the
   * document has the order of the table.
   */
  before?: string | null
}

export type Field<Described extends Place> = Described & { name: string; isOptional: boolean }

export const fieldsOf = <Described extends Place>(
  table: FieldTable<Described>,
): Field<Described>[] =>
  Object.entries(table).map(([name, field]) => ({
    // Only `schema` is not optional in what can be said of a field.
    ...('schema' in field ? field : ({ schema: field } as Described)),
    name: name.replace(/\?$/, ''),
    isOptional: name.endsWith('?'),
  }))

export function documentOf(fields: readonly Field<Place>[]): Schema {
  const upTo = (field: Field<Place>): Field<Place>[] => [
    ...fields.filter(({ before }) => before === field.name).flatMap(upTo),
    field,
  ]
  const ordered = [undefined, null].flatMap((place) =>
    fields.filter(({ before }) => before === place).flatMap(upTo),
  )
  return object(
    Object.fromEntries(
      ordered.flatMap(({ name, isOptional, schema }) =>
        schema ? [[isOptional ? `${name}?` : name, schema]] : [],
      ),
    ),
  )
}

/** `size_gi` is `sizeGi` in a document. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
