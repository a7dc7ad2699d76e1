import { type Schema } from '../json-schema.ts'

/** One row of the documentation: a value inside a body. */
export interface DocsField {
  /** The path from the body to the value: `vm.nics[].ip`. */
  path: string
  type: string
  isRequired: boolean
  description: string
}

/** Lists all fields of a body, outer fields before inner ones. */
export function fieldsOf(schema: Schema, path = ''): DocsField[] {
  const { properties = {}, required = [], items } = schema
  if (items) return fieldsOf(items, `${path}[]`)
  return Object.entries(properties).flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`
    return [
      {
        path: fieldPath,
        type: typeOf(field),
        isRequired: required.includes(name),
        description: describe(field),
      },
      ...fieldsOf(field, fieldPath),
    ]
  })
}

export function typeOf({ type, format, items, const: only }: Schema): string {
  if (items) return `${typeOf(items)}[]`
  if (only !== undefined) return JSON.stringify(only)
  return [[type ?? 'any'].flat().join(' or '), ...(format ? [`(${format})`] : [])].join(' ')
}

const describe = ({ description, enum: values, items }: Schema): string =>
  [
    ...(description ? [description] : []),
    ...(values ? [`One of ${values.join(', ')}.`] : []),
    ...(items?.enum ? [`Of ${items.enum.join(', ')}.`] : []),
  ].join(' ')

/** Returns an example body with only the required fields. */
export function exampleOf({ items, ...schema }: Schema): unknown {
  if (items) return [exampleOf(items)]
  const { properties, required = [] } = schema
  if (!properties) return valueOf(schema)
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, field]) => [name, exampleOf(field)]),
  )
}

function valueOf({ type, enum: values, format, const: only }: Schema): unknown {
  if (format) return `<${format}>`
  const [kind] = [type ?? 'string'].flat()
  return only ?? values?.[0] ?? defaults[kind ?? ''] ?? '…'
}

const defaults: Readonly<Record<string, unknown>> = {
  boolean: true,
  integer: 1,
  number: 1,
  object: {},
}
