import { type FieldTable, type Place, camelCase, documentOf, fieldsOf } from './field-table.ts'
import { type Schema, list } from './shapes.ts'

interface AnswerField extends Place {
  /** The field of the document, where it is not the name in camel case; null where it has none. */
  from?: string | null
  /** What the document selects of an object. */
  selection?: string
}

/**
 * An object of an answer. Its one table gives what a document selects, what the OpenAPI document
 * says, and what is left out: an optional field that is null, and a field without a schema.
 */
export class AnswerShape<Row extends object = object> {
  readonly schema: Schema
  readonly selection: string
  readonly #optional: readonly string[]
  readonly #hidden: readonly string[]
  readonly #convert: ((row: Row) => void) | undefined

  /** What a table cannot say of a field is written over in the row by `convert`. */
  constructor(table: FieldTable<AnswerField>, convert?: (row: Row) => void) {
    const fields = fieldsOf(table)
    const selected = fields.filter(({ from }) => from !== null)
    this.schema = documentOf(fields)
    this.selection = selected
      .map(({ name, from, selection }) => {
        const field = from ?? camelCase(name)
        return `${field === name ? '' : `${name}: `}${field}${selection ? ` { ${selection} }` : ''}`
      })
      .join(' ')
    this.#optional = selected.flatMap(({ name, isOptional }) => (isOptional ? [name] : []))
    this.#hidden = fields.flatMap(({ name, schema }) => (schema ? [] : [name]))
    this.#convert = convert
  }

  /**
   * Makes a row of the document what this wire sends. The row is written over, because a copy costs
   * a list as much as writing its text, and the executor keeps no row.
   */
  wire(row: Row): object {
    this.#convert?.(row)
    // Both lists name fields of the row. Undefined instead of deleted: a deleted key makes it slow.
    const fields = row as Record<string, unknown>
    for (const name of this.#hidden) fields[name] = undefined
    for (const name of this.#optional) if (fields[name] === null) fields[name] = undefined
    return row
  }

  wireAll(rows: readonly Row[]): readonly object[] {
    // In place, as `wire` does it.
    for (const row of rows) this.wire(row)
    return rows
  }
}

/** A list of objects inside of another one. */
export const listOf = ({
  schema,
  selection,
}: Pick<AnswerShape, 'schema' | 'selection'>): AnswerField => ({
  schema: list(schema),
  selection,
})

/** Read for the `ETag`, or for the conversion, and not sent. */
export const hidden = { schema: null } as const

/** Sent, and not a field of the document. */
export const added = (schema: Schema): AnswerField => ({ schema, from: null })
