import {
  type Field,
  type FieldTable,
  type FieldOptions,
  camelCase,
  documentOf,
  fieldsOf,
} from './field-table.ts'
import { type Body, field } from './field.ts'
import { type Schema } from './json-schema.ts'

type ReadField = (body: Body, name: string, at?: string) => unknown

export interface RequestField extends FieldOptions {
  schema: Schema
  /** The field of the input when it is not the camel-case name; null when there is none. */
  as?: string | null
  /** Reads the field when its schema does not determine how. */
  read?: ReadField
}

/**
 * The body of a request. One table gives the OpenAPI schema and reads a body into the input of a
 * mutation.
 */
export class RequestBody {
  readonly schema: Schema
  /** The REST names of input fields whose REST name is not snake case. */
  readonly names: Readonly<Record<string, string>>
  readonly #readers: readonly { name: string; as: string; read: ReadField }[]

  constructor(table: FieldTable<RequestField>) {
    const fields = fieldsOf(table)
    this.schema = documentOf(fields)
    this.names = Object.fromEntries(fields.flatMap(({ name, as }) => (as ? [[as, name]] : [])))
    this.#readers = fields.flatMap((each) =>
      each.as === null
        ? []
        : [{ name: each.name, as: each.as ?? camelCase(each.name), read: readerOf(each) }],
    )
  }

  /** `at` is the prefix of a nested field's path. */
  read(body: Body, at?: string): Record<string, unknown> {
    return Object.fromEntries(this.#readers.map(({ name, as, read }) => [as, read(body, name, at)]))
  }
}

function readerOf({ read, schema: { type }, isOptional }: Field<RequestField>): ReadField {
  if (read) return read
  if (type === 'boolean') return field.flag
  if (type === 'integer') return field.positive
  if (type === 'array') return field.texts
  return isOptional ? field.text : field.required
}

/** Describes a text field with a default. */
export const textOr = (schema: Schema, fallback: string): RequestField => ({
  schema,
  read: (body, name, at) => field.text(body, name, at) ?? fallback,
})
