import { type JsonMap } from './types.ts'
import { mediaTypes } from './forms.ts'
import { readProtobuf } from './protobuf/read.ts'
import { WireMistake } from './protobuf/wire.ts'
import { refuse } from './status.ts'
import { YamlMistake } from './yaml/mistakes.ts'
import { type YamlValue, readYaml } from './yaml/read.ts'

/** Bodies in the encodings beside JSON; what is wrong with one is told in the words of the caller. */

export function parseYaml(text: string, refusal: (why: string) => Error): YamlValue {
  try {
    return readYaml(text)
  } catch (error) {
    if (error instanceof YamlMistake) throw refusal(error.message)
    throw error
  }
}

export function parseProtobuf(body: Buffer, refusal: (why: string) => Error): JsonMap {
  try {
    const value = readProtobuf(body)
    if (value) return value
  } catch (error) {
    if (error instanceof WireMistake) throw refusal(error.message)
    throw error
  }
  throw refuse.unsupportedMedia(mediaTypes.slice(0, 2))
}
