import { type Schema } from './shapes.ts'

/** One line about a value inside a body. */
export interface DocsField {
  /** How it is reached from the body: `vm.nics[].ip`. */
  path: string
  type: string
  isRequired: boolean
  note: string
}

/** All that a body has, outer before inner. */
export function fieldsOf(schema: Schema, path = ''): DocsField[] {
  const { properties = {}, required = [], items } = schema
  if (items) return fieldsOf(items, `${path}[]`)
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = path === '' ? name : `${path}.${name}`
    return [
      { path: own, type: typeOf(field), isRequired: required.includes(name), note: noteOf(field) },
      ...fieldsOf(field, own),
    ]
  })
}

export function typeOf({ type, format, items, const: only }: Schema): string {
  if (items) return `${typeOf(items)}[]`
  if (only !== undefined) return JSON.stringify(only)
  return [[type ?? 'any'].flat().join(' or '), ...(format ? [`(${format})`] : [])].join(' ')
}

const noteOf = ({ description, enum: words, items }: Schema): string =>
  [
    ...(description ? [description] : []),
    ...(words ? [`One of ${words.join(', ')}.`] : []),
    ...(items?.enum ? [`Of ${items.enum.join(', ')}.`] : []),
  ].join(' ')

/** The least that the body has to say. */
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

function valueOf({ type, enum: words, format, const: only }: Schema): unknown {
  if (format) return `<${format}>`
  const [kind] = [type ?? 'string'].flat()
  return only ?? words?.[0] ?? plain[kind ?? ''] ?? '…'
}

const plain: Readonly<Record<string, unknown>> = {
  boolean: true,
  integer: 1,
  number: 1,
  object: {},
}
