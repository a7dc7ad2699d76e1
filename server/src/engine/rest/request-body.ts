import { type FaultField } from '../model/fault.ts'
import { type Message } from '../model/message.ts'
import { nameProblem, nameShape } from '../model/name.ts'
import { problemsOf } from './check-value.ts'
import {
  type Field,
  type FieldTable,
  type FieldOptions,
  camelCase,
  fieldsOf,
  documentOf,
} from './field-table.ts'
import { type Component, type Schema, component, list, orNull } from './json-schema.ts'
import { strictSchema } from './strict-schema.ts'

/** A body as a client sent it. */
export type SentBody = Readonly<Record<string, unknown>>

/** A value that older clients send for a field that they leave out. */
type AbsentValue = '' | 0 | null | readonly []

export interface RequestField extends FieldOptions {
  schema: Schema
  /** The field of the input when it is not the camel-case name; null when there is none. */
  as?: string | null
  /** The values that count as not given. */
  absent?: readonly AbsentValue[]
  /** The value of the input when the client sends null, which removes the present value. */
  cleared?: unknown
  /** Refuses a value that the schema allows, but not beside the other fields. */
  refuse?: (value: unknown, body: SentBody) => Message | null
  /** The objects of a list. */
  items?: RequestBody
  /** Converts the value that was sent, which is undefined when it counts as not given. */
  convert?: (value: unknown, body: SentBody) => unknown
}

/**
 * The body of a request. One table gives the OpenAPI schema, the refusals of everything else, and
 * the input of a mutation.
 */
export class RequestBody {
  readonly schema: Schema
  /** The REST names of the fields of the input. */
  readonly names: Readonly<Record<string, string>>
  /** The fields that reach the input. */
  readonly effective: readonly string[]
  /** True when a request without a body stands for one without fields. */
  readonly mayBeMissing: boolean
  readonly #fields: readonly Field<RequestField>[]

  constructor(table: FieldTable<RequestField>, { mayBeMissing = false } = {}) {
    this.#fields = fieldsOf(table)
    const documented = this.#fields.map((each) => ({ ...each, schema: documentedSchema(each) }))
    this.schema = { ...documentOf(documented), additionalProperties: false }
    this.names = Object.fromEntries(
      this.#fields.flatMap((each) => [
        ...Object.entries(each.items?.names ?? {}),
        ...(each.as === null ? [] : [[inputName(each), each.name] as const]),
      ]),
    )
    this.effective = this.#fields.flatMap(({ name, as }) => (as === null ? [] : [name]))
    this.mayBeMissing = mayBeMissing
  }

  /**
   * Returns the schema with a name for the OpenAPI document. The fields of the GraphQL input
   * describe its properties.
   */
  schemaFor(of: Component & { type: string }): Schema {
    const properties = Object.fromEntries(
      this.#fields.map((field): [string, Schema] => {
        const schema = this.schema.properties?.[field.name] ?? {}
        return [
          field.name,
          field.as === null ? schema : { ...schema, describedBy: `${of.type}.${inputName(field)}` },
        ]
      }),
    )
    return component(of, { ...this.schema, properties })
  }

  /** Lists everything in a body that this table does not describe. */
  problems(body: SentBody): FaultField[] {
    const problems = problemsOf(this.schema, body, '')
    const refusals = this.#fields.flatMap(({ name, refuse }) => {
      const hasForm = Object.hasOwn(body, name) && !problems.some(({ path }) => path === name)
      const message = hasForm ? refuse?.(body[name], body) : null
      return message ? [{ path: name, message }] : []
    })
    return [...problems, ...refusals]
  }

  /** Returns the input of the mutation for a body without problems. */
  input(body: SentBody): Record<string, unknown> {
    return Object.fromEntries(
      this.#fields.flatMap((each) =>
        each.as === null ? [] : [[inputName(each), inputValue(each, body)]],
      ),
    )
  }
}

const inputName = ({ name, as }: Field<RequestField>): string => as ?? camelCase(name)

function inputValue(
  { name, absent = [], cleared, items, convert }: Field<RequestField>,
  body: SentBody,
): unknown {
  const sent = Object.hasOwn(body, name) ? body[name] : undefined
  if (sent === null && cleared !== undefined) return cleared
  const provided = absent.some((each) => isSame(each, sent)) ? undefined : sent
  // The schema allows only lists of objects where the field has `items`.
  const value = items
    ? (provided as SentBody[] | undefined)?.map((item) => items.input(item))
    : provided
  return convert ? convert(value, body) : value
}

const isSame = (absent: AbsentValue, value: unknown): boolean =>
  Array.isArray(absent) ? Array.isArray(value) && value.length === 0 : absent === value

/** Returns the schema of the accepted values, with a remark on those that count as not given. */
function documentedSchema({ schema, absent = [], cleared }: Field<RequestField>): Schema {
  const sentences = [
    absent.length === 0 ? '' : absentSentence(absent),
    cleared === undefined ? '' : '`null` removes it.',
  ]
  const remark = sentences.filter(Boolean).join(' ')
  const documented = { ...strictSchema(schema, absent), ...(remark === '' ? {} : { remark }) }
  return cleared !== undefined || absent.includes(null) ? orNull(documented) : documented
}

/** Returns `An empty text or null counts as not given.` for both values. */
function absentSentence(absent: readonly AbsentValue[]): string {
  const text = absent.map((each) => absentNames[JSON.stringify(each)] ?? '').join(' or ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} counts as not given.`
}

const absentNames: Readonly<Record<string, string>> = {
  '""': 'an empty text',
  '0': 'zero',
  '[]': 'an empty list',
  null: '`null`',
}

/** Describes a text that older clients send empty or null instead of leaving it out. */
export const orBlank = (schema: Schema): RequestField => ({ schema, absent: ['', null] })

/** Describes a text that older clients send empty instead of leaving it out. */
export const orEmpty = (schema: Schema): RequestField => ({ schema, absent: [''] })

/** Describes a free text of a change, which may become empty. */
export const freeText: RequestField = { schema: { type: 'string', minLength: 0 }, cleared: '' }

/**
 * Describes the name of a new object, which is refused and not rewritten. `displayField` is the
 * field for other text, where the object has one.
 */
export const nameField = (displayField?: string): RequestField => ({
  schema: { type: 'string', ...nameShape },
  refuse: (name) => nameProblem(String(name), displayField),
})

/** Describes a text that older clients send and that has no effect, with the reason. */
export const ignored = (schema: Schema, description: string): RequestField => ({
  ...orBlank({ ...schema, description }),
  as: null,
})

/** Describes a list of nested objects, which GraphQL knows as this input. */
export const listOfBodies = (items: RequestBody, inputType: string): RequestField => ({
  schema: list(items.schemaFor({ name: inputType, type: inputType })),
  items,
})
