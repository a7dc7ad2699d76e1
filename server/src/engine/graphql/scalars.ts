import { GraphQLError, GraphQLScalarType } from 'graphql'
import { isMoment } from '../model/moment.ts'

const space = 0x20

/**
 * Converts a timestamp of the database to RFC 3339. The session's time zone is UTC, so only the
 * notation differs.
 */
export function rfc3339(value: unknown): string {
  const text = String(value)
  const isPostgres = text.charCodeAt(10) === space && text.endsWith('+00')
  return isPostgres ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text
}

/** Refuses texts that the database would refuse or read in another way. */
function parseMoment(value: unknown): string {
  if (typeof value === 'string' && isMoment(value)) return value
  // The code tells a mistake of the client from a bug, which any other error would be.
  throw new GraphQLError('A time must be RFC 3339 text such as 2026-01-31T12:00:00Z.', {
    extensions: { code: 'BAD_USER_INPUT' },
  })
}

export const DateTime = new GraphQLScalarType({
  name: 'DateTime',
  description: 'A moment in UTC, as RFC 3339 text.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: rfc3339,
  parseValue: parseMoment,
})
