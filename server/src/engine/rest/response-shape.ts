import {
  type FieldTable,
  type FieldOptions,
  camelCase,
  documentOf,
  fieldsOf,
} from './field-table.ts'
import { type Schema, component, list } from './json-schema.ts'

interface AnswerField extends FieldOptions {
  /** The GraphQL field when it is not the camel-case name; null when there is none. */
  from?: string | null
  /** The selection inside an object field. */
  selection?: string
}

/** The GraphQL type of a shape, and its name in the OpenAPI document when several have the type. */
type ShapeType = string | { type: string; name: string }

/**
 * The shape of an object in a response. One table gives the GraphQL selection and the OpenAPI
 * schema. It also tells which fields to omit: optional fields that are null, and fields without a
 * schema.
 */
export class ResponseShape<Row extends object = object> {
  readonly schema: Schema
  readonly selection: string
  /** True when responses with one object have an `ETag`. */
  readonly isVersioned: boolean
  readonly #optional: readonly string[]
  readonly #hidden: readonly string[]
  readonly #convert: ((row: Row) => void) | undefined

  /** `convert` changes the row in place for fields that the table cannot describe. */
  constructor(of: ShapeType, table: FieldTable<AnswerField>, convert?: (row: Row) => void) {
    const { type, name: componentName } = typeof of === 'string' ? { type: of, name: of } : of
    const fields = fieldsOf(table)
    const selected = fields.filter(({ from }) => from !== null)
    const documented = fields.map((field) => ({ ...field, schema: describedSchema(field, type) }))
    this.schema = component({ name: componentName, type }, documentOf(documented))
    this.isVersioned = fields.some(({ name, schema }) => name === 'version' && !schema)
    this.selection = selected
      .map(({ name, from, selection }) => {
        const field = sourceOf({ name, from })
        return `${field === name ? '' : `${name}: `}${field}${selection ? ` { ${selection} }` : ''}`
      })
      .join(' ')
    this.#optional = selected.flatMap(({ name, isOptional }) => (isOptional ? [name] : []))
    this.#hidden = fields.flatMap(({ name, schema }) => (schema ? [] : [name]))
    this.#convert = convert
  }

  /**
   * Turns a row of the document into its REST form. The row is changed in place, because a copy
   * costs as much as serializing it, and the executor keeps no row.
   */
  toWire(row: Row): object {
    this.#convert?.(row)
    // Both lists name fields of the row. `undefined` instead of `delete`: V8 makes objects with
    // deleted keys slow.
    const fields = row as Record<string, unknown>
    for (const name of this.#hidden) fields[name] = undefined
    for (const name of this.#optional) if (fields[name] === null) fields[name] = undefined
    return row
  }

  toWireAll(rows: readonly Row[]): readonly object[] {
    for (const row of rows) this.toWire(row)
    return rows
  }
}

const sourceOf = ({ name, from }: { name: string; from?: string | null | undefined }): string =>
  from ?? camelCase(name)

/** Returns the schema of a field with the GraphQL field that describes it. */
const describedSchema = (
  { schema, ...field }: AnswerField & { name: string },
  type: string,
): Schema | null =>
  schema && field.from !== null ? { ...schema, describedBy: `${type}.${sourceOf(field)}` } : schema

/** Returns the field for a list of nested objects. */
export const listOf = ({
  schema,
  selection,
}: Pick<ResponseShape, 'schema' | 'selection'>): AnswerField => ({
  schema: list(schema),
  selection,
})

/** Marks a field that is read for the `ETag` or the conversion but not sent. */
export const hidden = { schema: null } as const

/** Describes a field that is sent but is not in the document. */
export const added = (schema: Schema): AnswerField => ({ schema, from: null })
