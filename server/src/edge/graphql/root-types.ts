import { type GraphQLSchema } from 'graphql'

/** Describes the root types, which type-graphql builds without a class. */
export function withDescribedRoots(schema: GraphQLSchema): GraphQLSchema {
  const [query, mutation, subscription] = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]
  if (query) query.description = 'Reads of the objects of a tenant and of the platform.'
  if (mutation)
    mutation.description =
      'Changes of objects. When a change needs the cluster, its operation shows the progress.'
  if (subscription)
    subscription.description = 'Streams of changes of objects, and of the log of a VM.'
  return schema
}
