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
import { type GraphqlFacts } from '../engine/rest/document/graphql-facts.ts'
import { type RestRoute } from '../engine/rest/route.ts'
import { requirementsOf } from './graphql/authorize.ts'
import { faultsOf } from './rest/raised-faults.ts'

/** Describes the REST interface by its routes and the schema that they run on. */
export function restDocument(
  schema: GraphQLSchema,
  routes: readonly RestRoute[],
  version: string,
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
