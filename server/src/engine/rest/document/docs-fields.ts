import { type Schema } from '../json-schema.ts'

/** One row of the documentation: a value inside a body. */
export interface DocsField {
  /** The path from the body to the value: `vm.nics[].ip`. */
  path: string
  type: string
  isRequired: boolean
  description: string
  /** The part of the request that has the parameter: path, query or header. */
  location?: string
  example?: string
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
