import { type JsonMap, isMap } from '../objects/types.ts'
import { parseJson } from '../apiserver/requests/decode.ts'
import { deny } from './refusals.ts'

const refusal = (why: string) =>
  deny.badRequest(`Can not unmarshal Request body to struct, error: ${why}`)

const undecodable = (is: string, type: string): Error =>
  refusal(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${is} into Go value of type ${type}`,
  )

/**
 * Parses the options in the body of a call; an empty body has none. `type` is the Go type in error
 * messages.
 */
export function optionsIn(body: Buffer, type: string): JsonMap {
  const text = body.toString('utf8').trim()
  if (text === '') return {}
  // KubeVirt parses YAML, in which a single word is a string.
  if (/^[a-z][\w ]*$/i.test(text) && !['null', 'true', 'false'].includes(text))
    throw undecodable('string', type)
  const value = parseJson(text, (why) =>
    refusal(/^unexpected end|^Expected property name/.test(why) ? 'unexpected EOF' : why),
  )
  if (value === null) return {}
  if (!isMap(value)) throw undecodable(Array.isArray(value) ? 'array' : goType(typeof value), type)
  return value
}

const goType = (type: string): string => (type === 'boolean' ? 'bool' : type)
