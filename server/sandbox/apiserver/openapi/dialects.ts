import { type JsonMap } from '../../objects/types.ts'

/** Formats operations for one version of OpenAPI. */
export interface Dialect {
  /** Prefix of references to schemas. */
  prefix: string
  query(name: string, type: 'string' | 'boolean' | 'integer', description: string): JsonMap
  pathPart(name: string, description: string): JsonMap
  /** The request body of an operation. */
  body(types: readonly string[], schema: string, required?: boolean): JsonMap
  answer(schema: string): JsonMap
  /** A response without a named schema. */
  plain(types: readonly string[], schema: JsonMap): JsonMap
}

/** A part of a document: paths and the schemas that they refer to. */
export interface DocumentPart {
  paths: JsonMap
  schemas: JsonMap
}

/** OpenAPI 3.0. */
export const openApi3: Dialect = {
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

/** OpenAPI 2.0, which lists content types outside the schema. */
export const openApi2: Dialect = {
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
