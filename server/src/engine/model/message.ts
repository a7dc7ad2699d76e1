import {
  type Locale,
  type MessageJson,
  type MessageKey,
  type Param,
  type Params,
  type ParamsOf,
} from '../../../../schema/messages/catalogue.ts'
import { en } from '../../../../schema/messages/en/en.ts'
import { render } from '../../../../schema/messages/render.ts'

export type { MessageJson, Param }

const english: Locale = { language: 'en', catalogue: en }

/**
 * A sentence for people: a catalogue key of `schema/messages` with parameters. Its text and its
 * JSON are the English sentence; `messageJson` keeps the key and the parameters.
 */
export class Message implements MessageJson {
  readonly key: string
  readonly params: Params

  constructor(key: string, params: Params) {
    this.key = key
    this.params = params
  }

  toString(): string {
    return render(this, english) ?? this.key
  }

  toJSON(): string {
    return this.toString()
  }
}

/** Returns a message of the catalogue. A missing or misspelt parameter does not compile. */
export function messageOf<Key extends MessageKey>(
  key: Key,
  ...[params]: keyof ParamsOf<Key> extends never ? [] : [params: ParamsOf<Key>]
): Message {
  return new Message(key, params ?? {})
}

/** Returns the JSON for clients that render messages in the user's language. */
export function messageJson({ key, params }: MessageJson): MessageJson {
  const entries = Object.entries(params).map(([name, param]) => [name, paramJson(param)])
  // `Object.fromEntries` loses the type of the values, which are all parameters.
  return { key, params: Object.fromEntries(entries) as Params }
}

function paramJson(param: Param): Param {
  if (typeof param !== 'object') return param
  return 'key' in param ? messageJson(param) : param.map(paramJson)
}

/**
 * Serializes a row value. A message keeps its key, and its text for a release that lacks the key.
 */
export const storedJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string, json: unknown) {
    const value = this[name]
    return value instanceof Message ? { ...messageJson(value), text: value.toString() } : json
  })

/** Parses the text that `storedJson` wrote. */
export const parsedJson = (text: string): unknown =>
  // Most rows contain no message, and a reviver is slow.
  text.includes('"params"') ? JSON.parse(text, revived) : JSON.parse(text)

function revived(_name: string, value: unknown): unknown {
  if (!isStored(value)) return value
  const { key, params, text } = value
  return key in en || text === undefined ? new Message(key, params) : textMessage(text)
}

// A tenant may name labels `key` and `params`, but label values are never objects.
const isStored = (value: unknown): value is MessageJson & { text?: string } =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'params' in value &&
  typeof value.params === 'object'

/** The nouns that messages can name: `VM snapshot` for the key `noun.VM snapshot`. */
export type Noun = MessageKey extends infer Key
  ? Key extends `noun.${infer Name}`
    ? Name
    : never
  : never

/** Wraps text that is not in the catalogue, such as a message of another system. */
export function textMessage(text: string): Message {
  return messageOf('text', { text })
}

/** Returns the parameterless message for a computed key, or null when the catalogue lacks it. */
export const knownMessage = (key: string): Message | null =>
  key in en ? new Message(key, {}) : null
