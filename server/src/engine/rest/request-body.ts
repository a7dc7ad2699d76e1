import {
  type Field,
  type FieldTable,
  type Place,
  camelCase,
  documentOf,
  fieldsOf,
} from './field-table.ts'
import { type Body, field } from './field.ts'
import { type Schema } from './shapes.ts'

type Reading = (body: Body, name: string, at?: string) => unknown

export interface RequestField extends Place {
  schema: Schema
  /** The field of the input, where it is not the name in camel case; null where it has none. */
  as?: string | null
  /** How the field is read, where its schema does not say it. */
  read?: Reading
}

/**
 * The body of a request. Its one table gives what the OpenAPI document says and how a body is read
 * into the input of a mutation.
 */
export class RequestBody {
  readonly schema: Schema
  /** What this wire calls a field of the input otherwise than in snake case. */
  readonly names: Readonly<Record<string, string>>
  readonly #readings: readonly { name: string; as: string; read: Reading }[]

  constructor(table: FieldTable<RequestField>) {
    const fields = fieldsOf(table)
    this.schema = documentOf(fields)
    this.names = Object.fromEntries(fields.flatMap(({ name, as }) => (as ? [[as, name]] : [])))
    this.#readings = fields.flatMap((each) =>
      each.as === null
        ? []
        : [{ name: each.name, as: each.as ?? camelCase(each.name), read: readingOf(each) }],
    )
  }

  /** `at` stands before the names of fields that are inside of another one. */
  read(body: Body, at?: string): Record<string, unknown> {
    return Object.fromEntries(
      this.#readings.map(({ name, as, read }) => [as, read(body, name, at)]),
    )
  }
}

function readingOf({ read, schema: { type }, isOptional }: Field<RequestField>): Reading {
  if (read) return read
  if (type === 'boolean') return field.flag
  if (type === 'integer') return field.positive
  if (type === 'array') return field.texts
  return isOptional ? field.text : field.required
}

/** A text whose absence stands for another one. */
export const textOr = (schema: Schema, otherwise: string): RequestField => ({
  schema,
  read: (body, name, at) => field.text(body, name, at) ?? otherwise,
})
