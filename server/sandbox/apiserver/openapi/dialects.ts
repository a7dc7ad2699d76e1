import { type JsonMap } from '../../objects/types.ts'

/** How a version of OpenAPI writes what an operation takes and gives. */
export interface Dialect {
  /** In front of the names of schemas. */
  prefix: string
  query(name: string, type: 'string' | 'boolean' | 'integer', description: string): JsonMap
  pathPart(name: string, description: string): JsonMap
  /** Of a body that the operation takes, or may take. */
  body(types: readonly string[], schema: string, required?: boolean): JsonMap
  answer(schema: string): JsonMap
  /** An answer that has no schema of its own. */
  plain(types: readonly string[], schema: JsonMap): JsonMap
}

/** What is said of some of the paths, and the schemas that it refers to. */
export interface Described {
  paths: JsonMap
  schemas: JsonMap
}

/** The third version. */
export const third: Dialect = {
  prefix: '#/components/schemas/',
  query: (name, type, description) => ({
    name,
    in: 'query',
    description,
    schema: { type, uniqueItems: true },
  }),
  pathPart: (name, description) => ({
    name,
    in: 'path',
    description,
    required: true,
    schema: { type: 'string', uniqueItems: true },
  }),
  body: (types, schema, required = true) => ({
    requestBody: { required, content: contentOf(types, schema) },
  }),
  answer: (schema) => ({
    description: 'OK',
    content: contentOf(['application/json', 'application/yaml'], schema),
  }),
  plain: (types, schema) => ({
    description: 'OK',
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }),
}

const contentOf = (types: readonly string[], schema: string): JsonMap =>
  Object.fromEntries(
    types.map((type) => [type, { schema: { $ref: `#/components/schemas/${schema}` } }]),
  )

/** The second version, which names types of content elsewhere. */
export const second: Dialect = {
  prefix: '#/definitions/',
  query: (name, type, description) => ({ name, in: 'query', description, type, uniqueItems: true }),
  pathPart: (name, description) => ({
    name,
    in: 'path',
    description,
    required: true,
    type: 'string',
    uniqueItems: true,
  }),
  body: (types, schema, required = true) => ({
    consumes: [...types],
    parameters: [
      { name: 'body', in: 'body', required, schema: { $ref: `#/definitions/${schema}` } },
    ],
  }),
  answer: (schema) => ({ description: 'OK', schema: { $ref: `#/definitions/${schema}` } }),
  plain: (_types, schema) => ({ description: 'OK', schema }),
}
