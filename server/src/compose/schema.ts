import { guardedSchema } from '../edge/graphql/schema.ts'
import { resolvers } from './nouns.ts'

/** The schema that clients see, with the guard of every field. */
export const buildBerthSchema = (): ReturnType<typeof guardedSchema> => guardedSchema(resolvers)
