import 'reflect-metadata'
import { type GraphQLSchema, getNullableType, isInterfaceType } from 'graphql'
import { type NonEmptyArray, buildSchemaSync } from 'type-graphql'
import { authorizeSchema } from './authorize.ts'
import { withUsualDescriptions } from './described-schema.ts'

/**
 * Builds the schema with authorization around every root field. The validation and the middlewares
 * of type-graphql stay off: the domain validates, and middlewares run per field.
 */
export function authorizedSchema(resolvers: readonly (new () => object)[]): GraphQLSchema {
  const schema = schemas.get(resolvers) ?? withUsualDescriptions(build(resolvers))
  schemas.set(resolvers, schema)
  return schema
}

/** All servers of a process share a schema, because each request brings its server as context. */
const schemas = new WeakMap<readonly (new () => object)[], GraphQLSchema>()

const build = (resolvers: readonly (new () => object)[]): GraphQLSchema =>
  authorizeSchema(
    withNamedTypes(
      withNullableMutations(
        buildSchemaSync({
          // type-graphql requires at least one resolver.
          resolvers: resolvers as NonEmptyArray<new () => object>,
          validate: false,
          emitSchemaFile: false,
          pubSub: unusedPubSub,
        }),
      ),
    ),
  )

/**
 * Makes the result of every mutation nullable. Without that, GraphQL discards all results of a
 * document when one mutation is refused, and a secret that is shown only once is lost.
 */
function withNullableMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}))
    field.type = getNullableType(field.type)
  return schema
}

/**
 * Reads the type of an object behind an interface from its `__typename`, the default of GraphQL.
 * type-graphql would find it asynchronously, which compiled documents do not support.
 */
function withNamedTypes(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isInterfaceType(type)) type.resolveType = undefined
  return schema
}

// type-graphql requires a PubSub when there are subscriptions. These subscriptions bring their own
// source, the change log.
const unusedPubSub = { publish: () => undefined, subscribe: () => emptyStream }
const emptyStream = {
  [Symbol.asyncIterator]: () => ({
    next: () => Promise.resolve({ done: true as const, value: undefined }),
  }),
}
