/** The part of JSON Schema in OpenAPI 3.1 that the REST interface uses. */
export interface Schema {
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly string[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  /** False for the bodies of requests, which have no other fields. */
  additionalProperties?: false
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  anyOf?: readonly Schema[]
  $ref?: string
  const?: unknown
  /** The value of a field that a request leaves out. */
  default?: unknown
  /** How the OpenAPI document names the schema. It is no part of the document itself. */
  component?: Component
  /** The GraphQL field with the description, such as `Vm.cpu`, unless there is a `description`. */
  describedBy?: string
  /** Follows the description, from wherever that comes. */
  remark?: string
}

/** A schema that the document contains once, and that each use refers to. */
export interface Component {
  name: string
  /** The GraphQL type with the description. */
  type?: string
  description?: string
}

/** Names a schema. Every schema with the same name must be the same. */
export const component = (
  { name, ...rest }: Component,
  { description, ...schema }: Schema,
): Schema => ({ ...schema, component: { name, ...(description && { description }), ...rest } })

export const orNull = (schema: Schema): Schema => ({
  ...schema,
  type: [...[schema.type ?? 'string'].flat(), 'null'],
})
export const list = (items: Schema): Schema => ({ type: 'array', items })
export const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words })

/** Returns the schema of an object. Names that end in `?` are optional. */
export function object(fields: Readonly<Record<string, Schema>>): Schema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
  )
  return {
    type: 'object',
    properties,
    required: Object.keys(fields).filter((name) => !name.endsWith('?')),
  }
}
