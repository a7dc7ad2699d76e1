import {
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql'
import { type Permission } from '../engine/model/permission.ts'
import { type OpenApi, openApiDocument } from '../engine/rest/document/openapi.ts'
import { type RestExample } from '../engine/rest/document/examples.ts'
import { type GraphqlFacts } from '../engine/rest/document/graphql-facts.ts'
import { type RestRoute } from '../engine/rest/route.ts'
import { requirementsOf } from './graphql/authorize.ts'
import { faultsOf } from './rest/raised-faults.ts'
import { tagDescriptions } from './rest-tags.ts'

interface DocumentParts {
  routes: readonly RestRoute[]
  version: string
  /** The recorded examples by method and path, such as `GET /api/v1/vms`. */
  examples: Readonly<Record<string, RestExample>>
}

/** Describes the REST interface by its routes and the schema that they run on. */
export function restDocument(
  schema: GraphQLSchema,
  { routes, version, examples }: DocumentParts,
): OpenApi {
  return openApiDocument(routes, {
    version,
    graphqlFactsOf: (type, field) => factsIn(schema, type, field),
    mutationDescription: (row) =>
      row.method === 'GET' ? null : (rootFieldsOf(schema, row)[0]?.description ?? null),
    permissionsOf: (row) =>
      [
        ...new Set(rootFieldsOf(schema, row).flatMap((field) => requirementsOf(field) ?? [])),
      ].filter(isPermission),
    faultsOf,
    tagDescriptions,
    exampleOf: ({ method, path }) => examples[`${method} ${path}`],
  })
}

/**
 * Throws for a type or a field that the schema does not have. A shape then cannot name another type
 * than its own.
 */
function factsIn(
  schema: GraphQLSchema,
  typeName: string,
  fieldName: string | undefined,
): GraphqlFacts {
  const type = schema.getType(typeName)
  if (!type) throw new TypeError(`a REST schema has the GraphQL type ${typeName}, which is none`)
  if (fieldName === undefined) return { description: type.description ?? null }
  const hasFields = isObjectType(type) || isInputObjectType(type) || isInterfaceType(type)
  const field = hasFields ? type.getFields()[fieldName] : undefined
  if (!field)
    throw new TypeError(
      `a REST schema has a field of GraphQL ${typeName}.${fieldName}, which is none`,
    )
  return {
    description: field.description ?? null,
    ...('defaultValue' in field && { defaultValue: field.defaultValue }),
  }
}

/** Returns the root fields of the document that a row runs. */
function rootFieldsOf(schema: GraphQLSchema, { run }: RestRoute): GraphQLField<unknown, unknown>[] {
  const [operation] = parse(run).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return []
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {}
  return operation.selectionSet.selections.flatMap((selection) => {
    const field = selection.kind === Kind.FIELD ? fields[selection.name.value] : undefined
    return field ? [field] : []
  })
}

const isPermission = (requirement: string): requirement is Permission =>
  requirement !== 'any' && requirement !== 'public'
