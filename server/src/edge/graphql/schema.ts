import 'reflect-metadata'
import { type GraphQLSchema } from 'graphql'
import { type NonEmptyArray, buildSchemaSync } from 'type-graphql'
import { guardSchema } from './guard.ts'

/**
 * The contract, guarded. Validation is the domain's, so type-graphql's own stays off; so do its
 * middlewares, which run per field.
 */
export function guardedSchema(resolvers: readonly (new () => object)[]): GraphQLSchema {
  return guardSchema(
    buildSchemaSync({
      // It wants one resolver at least.
      resolvers: resolvers as NonEmptyArray<new () => object>,
      validate: false,
      emitSchemaFile: false,
      pubSub: unused,
    }),
  )
}

// type-graphql wants one where there are subscriptions; ours bring their own source, which is the
// change log.
const unused = { publish: () => undefined, subscribe: () => unheard }
const unheard = {
  [Symbol.asyncIterator]: () => ({
    next: () => Promise.resolve({ done: true as const, value: undefined }),
  }),
}
