import { GraphQLScalarType } from 'graphql'

const space = 0x20

/**
 * A timestamp of the database as RFC 3339; the session's time zone is UTC, so only the notation
 * differs.
 */
export function rfc3339(value: unknown): string {
  const text = String(value)
  const isPostgres = text.charCodeAt(10) === space && text.endsWith('+00')
  return isPostgres ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text
}

/** Output only: nothing takes a time from a caller yet. */
export const DateTime = new GraphQLScalarType({
  name: 'DateTime',
  description: 'A moment in UTC, as RFC 3339 text.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: rfc3339,
})
