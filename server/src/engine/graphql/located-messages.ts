import { type MessageJson, Message, messageJson } from '../model/message.ts'

/** A message in the data of a response, with its path. */
export interface LocatedMessage extends MessageJson {
  readonly path: readonly (string | number)[]
}

/**
 * Lists the messages in the data of a response, so that the client can replace each by its own
 * language. In the JSON of the data each is the English sentence.
 */
export function locatedMessages(data: unknown): LocatedMessage[] {
  const located: LocatedMessage[] = []
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return
    if (value instanceof Message) located.push({ path, ...messageJson(value) })
    else if (Array.isArray(value)) value.forEach((each, at) => visit(each, [...path, at]))
    else for (const [name, each] of Object.entries(value)) visit(each, [...path, name])
  }
  visit(data, [])
  return located
}
