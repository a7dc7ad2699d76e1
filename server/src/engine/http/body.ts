import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Fault } from '../model/fault.ts'
import { type Message, messageOf } from '../model/message.ts'

export const bodyLimit = 256 * 1024
/** The limit for callers without a login, who send little more than a name and a password. */
export const strangerBodyLimit = 16 * 1024
const depthLimit = 20
/** Editors of Windows begin a file with it. JSON does not allow it. */
const byteOrderMark = /^\uFEFF/

/**
 * Reads the body as text. A body larger than the limit is refused without being read to its end.
 */
export async function readText(request: IncomingMessage, most = bodyLimit): Promise<string> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > most) throw tooLarge(most)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    // A request without an encoding yields buffers.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > most) throw tooLarge(most)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses a JSON body. An absent body is an empty object. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text.replace(byteOrderMark, ''))
    if (depthOf(value, depthLimit) > depthLimit)
      throw new Fault('invalid_input', messageOf('request.body_too_deep', { levels: depthLimit }))
    return value
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('invalid_input', messageOf('request.body_not_json'), { cause: error })
  }
}

/**
 * Parses a JSON body of any declared type, because clients declare many types. A body that is not
 * JSON is refused with its declared type.
 */
export function parseBody(text: string, headers: IncomingHttpHeaders): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    const sentence =
      error instanceof Fault && error.cause instanceof SyntaxError ? otherThanJson(headers) : null
    if (sentence === null) throw error
    throw new Fault('unsupported_media_type', sentence, { cause: error })
  }
}

/** Says which encoding or type the headers declare when it is not that of plain JSON. */
function otherThanJson({
  'content-type': contentType = '',
  'content-encoding': encoding = 'identity',
}: IncomingHttpHeaders): Message | null {
  if (encoding !== 'identity')
    return messageOf('request.body_encoded', { encoding: encoding.slice(0, 50) })
  const [type = ''] = contentType.split(';').map((each) => each.trim().toLowerCase())
  return type === '' || /^application\/(\S+\+)?json$/.test(type)
    ? null
    : messageOf('request.body_of_other_type', { type: type.slice(0, 50) })
}

function depthOf(value: unknown, budget: number): number {
  if (typeof value !== 'object' || value === null || budget < 0) return 0
  return 1 + Math.max(0, ...Object.values(value).map((child) => depthOf(child, budget - 1)))
}

function tooLarge(most: number): Fault {
  return new Fault('payload_too_large', messageOf('request.body_too_large', { most: most / 1024 }))
}
