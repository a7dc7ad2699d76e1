import { type Schema, component, list, object } from './json-schema.ts'

/** Returns the schema of a list, or of one page of it, under the name of its field. */
export const listResponse = (type: string, field: string, items: Schema): Schema =>
  component(
    { name: `${type}List`, description: 'A list, or one page of it.' },
    object({
      [field]: {
        ...list(items),
        description: 'All objects that match the request, or those of the page.',
      },
    }),
  )
