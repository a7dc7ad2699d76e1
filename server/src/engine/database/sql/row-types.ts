import pg from 'pg'
import { parsedJson } from '../../model/message.ts'

// A timestamp of PostgreSQL has at most 35 characters.
const scratch = Buffer.alloc(64)
const letterT = 'T'.charCodeAt(0)
const letterZ = 'Z'.charCodeAt(0)

/**
 * PostgreSQL's text (2026-11-21 05:06:33.12+00; the session's time zone is UTC) as RFC 3339. In a
 * buffer, and so a flat text: to_char costs four times this in the database, and a text that is put
 * together of parts makes JSON.stringify slower.
 */
function rfc3339(text: string): string {
  scratch.write(text, 'latin1')
  scratch[10] = letterT
  const zone = text.length - '+00'.length
  scratch[zone] = letterZ
  return scratch.toString('latin1', 0, zone + 1)
}

const own = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, rfc3339],
  [pg.types.builtins.JSONB, parsedJson],
])

/**
 * How values of rows are read: timestamps stay texts, JSON may hold messages, everything else is
 * pg's own way.
 */
export const rowTypes: pg.CustomTypesConfig = {
  // pg's types declare one result per format and number; what is given out is whatever the parser
  // makes of the text.
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    (own.get(type) ?? pg.types.getTypeParser(type, format)) as never,
}
