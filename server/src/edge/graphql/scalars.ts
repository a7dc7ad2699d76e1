import { GraphQLScalarType } from 'graphql'

const postgresText = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)\+00$/

/** A timestamp of the database as RFC 3339; the session's time zone is UTC, so only the notation differs. */
export function rfc3339(value: unknown): string {
  const text = String(value)
  const [, day, time] = postgresText.exec(text) ?? []
  return day && time ? `${day}T${time}Z` : text
}

/** Output only: nothing takes a time from a caller yet. */
export const DateTime = new GraphQLScalarType({
  name: 'DateTime',
  description: 'A moment in UTC, as RFC 3339 text.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: rfc3339,
})
