import { type Schema, object } from './json-schema.ts'

/**
 * The fields of a body by their REST names, in the order in which they are sent or read. When two
 * fields are invalid, the refusal names the first. A name that ends in `?` is optional. The value
 * is a schema, or a schema with options.
 */
export type FieldTable<Options extends FieldOptions> = Readonly<Record<string, Schema | Options>>

export interface FieldOptions {
  /** The schema of the field; null for a field that is not sent. */
  schema: Schema | null
  /**
   * The field before which the OpenAPI document lists this one; null for the end. Without it the
   * document follows the order of the table.
   */
  before?: string | null
}

export type Field<Options extends FieldOptions> = Options & { name: string; isOptional: boolean }

export const fieldsOf = <Options extends FieldOptions>(
  table: FieldTable<Options>,
): Field<Options>[] =>
  Object.entries(table).map(([name, field]) => ({
    // `schema` is the only required option of a field.
    ...('schema' in field ? field : ({ schema: field } as Options)),
    name: name.replace(/\?$/, ''),
    isOptional: name.endsWith('?'),
  }))

/** Returns the OpenAPI schema of a body. */
export function documentOf(fields: readonly Field<FieldOptions>[]): Schema {
  const withPredecessors = (field: Field<FieldOptions>): Field<FieldOptions>[] => [
    ...fields.filter(({ before }) => before === field.name).flatMap(withPredecessors),
    field,
  ]
  const ordered = [undefined, null].flatMap((position) =>
    fields.filter(({ before }) => before === position).flatMap(withPredecessors),
  )
  return object(
    Object.fromEntries(
      ordered.flatMap(({ name, isOptional, schema }) =>
        schema ? [[isOptional ? `${name}?` : name, schema]] : [],
      ),
    ),
  )
}

/** Returns `sshKey` for `SshKey`. */
export const lowerFirst = (name: string): string =>
  `${name.charAt(0).toLowerCase()}${name.slice(1)}`

/** Returns `sizeGi` for `size_gi`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
