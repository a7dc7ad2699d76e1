import { type Json, type JsonMap } from '../../objects/types.ts'
import { duplicateFields } from './duplicate-fields.ts'
import { mediaTypes } from './media-types.ts'
import { readProtobuf } from '../protobuf/read.ts'
import { WireError } from '../protobuf/wire.ts'
import { refuse } from '../../objects/status.ts'
import { YamlError } from '../../yaml/errors.ts'
import { type YamlValue, readYaml } from '../../yaml/read.ts'

/** Parses YAML and protobuf bodies. The caller supplies the refusal for an invalid body. */

export function parseYaml(text: string, refusal: (why: string) => Error): YamlValue {
  try {
    return plainJson(text) ?? readYaml(text)
  } catch (error) {
    if (error instanceof YamlError) throw refusal(error.message)
    throw error
  }
}

/**
 * Parses JSON, which most programs send as YAML. Reading it as YAML takes sixteen times as long.
 */
function plainJson(text: string): YamlValue | null {
  if (!text.startsWith('{')) return null
  try {
    // The cast holds because JSON.parse returns only JSON values.
    const value = JSON.parse(text) as Json
    return duplicateFields(text).length === 0 ? { value, repeated: [] } : null
  } catch {
    return null
  }
}

export function parseProtobuf(body: Buffer, refusal: (why: string) => Error): JsonMap {
  try {
    const value = readProtobuf(body)
    if (value) return value
  } catch (error) {
    if (error instanceof WireError) throw refusal(error.message)
    throw error
  }
  throw refuse.unsupportedMedia(mediaTypes.slice(0, 2))
}
