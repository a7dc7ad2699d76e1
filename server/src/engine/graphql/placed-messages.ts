import { type MessageJson, Message, messageJson } from '../model/message.ts'

/** A sentence in the data of an answer, by its path. */
export interface PlacedMessage extends MessageJson {
  readonly path: readonly (string | number)[]
}

/**
 * The messages in the data of an answer, so that the client can put their sentence in another
 * language at their place. In the JSON of the data each is the English sentence.
 */
export function placedMessages(data: unknown): PlacedMessage[] {
  const placed: PlacedMessage[] = []
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return
    if (value instanceof Message) placed.push({ path, ...messageJson(value) })
    else if (Array.isArray(value)) value.forEach((each, at) => visit(each, [...path, at]))
    else for (const [name, each] of Object.entries(value)) visit(each, [...path, name])
  }
  visit(data, [])
  return placed
}
