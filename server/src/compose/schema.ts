import { authorizedSchema } from '../edge/graphql/schema.ts'
import { resolvers } from './nouns.ts'

/** Builds the schema that clients see, with the authorization of every field. */
export const buildBerthSchema = (): ReturnType<typeof authorizedSchema> =>
  authorizedSchema(resolvers)
