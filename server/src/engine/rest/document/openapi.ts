import { type FaultCode } from '../../model/fault.ts'
import { type Permission } from '../../model/permission.ts'
import { lowerFirst } from '../field-table.ts'
import { type Schema } from '../json-schema.ts'
import { type RequestBody } from '../request-body.ts'
import { type RestRoute } from '../route.ts'
import { type ExampleOf, exampleOf, withExamples } from './examples.ts'
import { type GraphqlFactsOf, inRestWords, withGraphqlFacts } from './graphql-facts.ts'
import { mapSchemas } from './map-schemas.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { refusalsWith } from './refusals.ts'
import { type OpenApiResponse, successesOf } from './responses.ts'

/** The part of OpenAPI 3.1 that the REST interface uses. */
export interface OpenApi {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: object[]
  security: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, Schema>; securitySchemes: object }
}

export interface OpenApiOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: {
    required: boolean
    content: { 'application/json': { schema: Schema; example?: unknown } }
  }
  security: object[]
  /** The permissions that the caller needs; empty when a login is enough. */
  'x-permission'?: readonly Permission[]
  responses: Record<string, OpenApiResponse>
}

/** The facts of the GraphQL schema and of the rows about an operation. */
export interface OpenApiSources {
  version: string
  graphqlFactsOf: GraphqlFactsOf
  /** The description of the mutation that a row runs; null when it has none. */
  mutationDescription: (row: RestRoute) => string | null
  permissionsOf: (row: RestRoute) => readonly Permission[]
  faultsOf: (row: RestRoute) => readonly FaultCode[]
  exampleOf: ExampleOf
  tagDescriptions: Readonly<Record<string, string>>
}

const credentials = [{ bearer: [] }, { apiKey: [] }]

/**
 * Builds the OpenAPI 3.1 document from the route table, which states each fact once. Every schema
 * is where it is used; `withComponents` names them.
 */
export function openApiDocument(routes: readonly RestRoute[], sources: OpenApiSources): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const row of routes)
    (paths[row.path] ??= {})[row.method.toLowerCase()] = operationOf(row, sources)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Berth',
      version: sources.version,
      summary: 'Virtual machines for many tenants.',
      description:
        'Every endpoint runs a document on the GraphQL schema. Both interfaces refuse a request for the same reasons and with the same messages.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: credentials,
    tags: tagsOf(routes, sources.tagDescriptions),
    paths: mapSchemas(paths, (schema) => withGraphqlFacts(schema, sources.graphqlFactsOf)),
    components: {
      schemas: {},
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token from /api/v1/auth/login, or an API key.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'An API key.',
        },
      },
    },
  }
}

function tagsOf(
  routes: readonly RestRoute[],
  descriptions: OpenApiSources['tagDescriptions'],
): OpenApi['tags'] {
  return [...new Set(routes.map(({ tag }) => tag))].map((name) => {
    const description = descriptions[name]
    if (!description) throw new TypeError(`the tag ${name} of the REST interface is not described`)
    return { name, description }
  })
}

/** Returns the name of the row's document, such as `CreateVm`. */
const nameOf = (row: RestRoute): string =>
  /\b(?:query|mutation|subscription)\s+(\w+)/.exec(row.run)?.[1] ?? row.path

function operationOf(row: RestRoute, sources: OpenApiSources): OpenApiOperation {
  const name = nameOf(row)
  const permissions = sources.permissionsOf(row)
  const example = sources.exampleOf(row)
  const parameters = parametersOf(row)
  return {
    operationId: lowerFirst(name),
    summary: row.summary,
    description: [sources.mutationDescription(row), accessSentence(row, permissions)]
      .flatMap((text) => (text ? [inRestWords(text)] : []))
      .join(' '),
    tags: [row.tag],
    parameters: example ? withExamples(parameters, row.path, example) : parameters,
    ...(row.request && { requestBody: requestBodyOf(row.request, name, example?.request) }),
    security: row.public ? [] : credentials,
    ...(!row.public && { 'x-permission': permissions }),
    responses: {
      ...successesOf(row, name, example?.response),
      ...refusalsWith(sources.faultsOf(row)),
    },
  }
}

function accessSentence(row: RestRoute, permissions: readonly Permission[]): string {
  if (row.public) return 'It needs no login.'
  const names = permissions.map((permission) => `\`${permission}\``).join(' and ')
  return names === '' ? 'Every logged-in user may call it.' : `It needs the permission ${names}.`
}

/** Names the body of a request after its operation. */
function requestBodyOf(
  request: RequestBody,
  name: string,
  example: unknown,
): NonNullable<OpenApiOperation['requestBody']> {
  const description = `The body of \`${lowerFirst(name)}\`.`
  const schema = request.schemaFor({ name, type: `${name}Input`, description })
  const content = { 'application/json': { schema, ...exampleOf(example) } }
  return { required: !request.mayBeMissing, content }
}
