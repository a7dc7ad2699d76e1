import { type Schema } from './json-schema.ts'

/** The largest Int of GraphQL. */
export const maxInt = 2_147_483_647

/** A list of texts that is longer than this is a mistake. */
const maxTexts = 100

/**
 * Returns the schema of exactly the values that a request may contain. Texts are not empty and
 * numbers are 1 or more, unless the schema says otherwise or `absent` has the value.
 */
export function strictSchema(schema: Schema, absent: readonly unknown[] = []): Schema {
  if (schema.type === 'integer')
    return { minimum: absent.includes(0) ? 0 : 1, maximum: maxInt, ...schema }
  if (schema.type === 'array')
    return schema.items?.type === 'string'
      ? { maxItems: maxTexts, ...schema, items: strictSchema(schema.items) }
      : schema
  return schema.type === 'string' ? strictText(schema, absent.includes('')) : schema
}

function strictText({ format, ...schema }: Schema, mayBeEmpty: boolean): Schema {
  if (schema.enum) return mayBeEmpty ? { ...schema, enum: [...schema.enum, ''] } : schema
  // An empty text has no format.
  if (mayBeEmpty) return schema
  return { minLength: 1, ...schema, ...(format === undefined ? {} : { format }) }
}
