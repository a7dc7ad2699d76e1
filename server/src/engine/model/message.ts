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
 * A sentence for people: a key of the catalogue in `schema/messages` with its parameters. Wherever
 * it becomes text or JSON it is the English sentence; `messageJson` keeps the key and parameters.
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

/** A message of the catalogue. A missing or misspelt parameter does not compile. */
export function messageOf<Key extends MessageKey>(
  key: Key,
  ...[params]: keyof ParamsOf<Key> extends never ? [] : [params: ParamsOf<Key>]
): Message {
  return new Message(key, params ?? {})
}

/** A message as a client gets it that renders it in the language of its reader. */
export function messageJson({ key, params }: MessageJson): MessageJson {
  const entries = Object.entries(params).map(([name, param]) => [name, paramJson(param)])
  // `Object.fromEntries` forgets that every value is a parameter.
  return { key, params: Object.fromEntries(entries) as Params }
}

function paramJson(param: Param): Param {
  if (typeof param !== 'object') return param
  return 'key' in param ? messageJson(param) : param.map(paramJson)
}

/** The JSON of a row: a message keeps its key, and its text for a release without that key. */
export const storedJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string, json: unknown) {
    const given = this[name]
    return given instanceof Message ? { ...messageJson(given), text: given.toString() } : json
  })

/** Reads what `storedJson` wrote. */
export const parsedJson = (text: string): unknown =>
  // Most rows hold no message, and a reviver is slow.
  text.includes('"params"') ? JSON.parse(text, revived) : JSON.parse(text)

function revived(_name: string, value: unknown): unknown {
  if (!isStored(value)) return value
  const { key, params, text } = value
  return key in en || text === undefined ? new Message(key, params) : textMessage(text)
}

// Labels of a tenant may be called `key` and `params`, but their values are never objects.
const isStored = (value: unknown): value is MessageJson & { text?: string } =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'params' in value &&
  typeof value.params === 'object'

/** The things that a message names, as `noun.VM snapshot` does. */
export type Noun = MessageKey extends infer Key
  ? Key extends `noun.${infer Name}`
    ? Name
    : never
  : never

/** Text that no catalogue has, such as the words of another system. */
export function textMessage(text: string): Message {
  return messageOf('text', { text })
}

/** A message without parameters, by a key put together; null when the catalogue lacks it. */
export const knownMessage = (key: string): Message | null =>
  key in en ? new Message(key, {}) : null
