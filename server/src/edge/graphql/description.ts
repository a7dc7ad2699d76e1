import { type GraphQLField, type GraphQLObjectType } from 'graphql'

interface Described {
  description?: string | null | undefined
}

/** Describes a part of the schema that has no description yet. */
export function describe(part: Described | null | undefined, text: string): void {
  if (part) part.description ??= text
}

export const fieldsOf = (
  type: GraphQLObjectType | null | undefined,
): GraphQLField<unknown, unknown>[] => Object.values(type?.getFields() ?? {})
