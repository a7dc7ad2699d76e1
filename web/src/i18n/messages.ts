import { type MessageJson } from '../../../schema/messages/catalogue.ts'
import { render } from '../../../schema/messages/render.ts'
import { activeLocale } from './active-locale.ts'

/**
 * Translates a message of the server. The server's English text is used for English, and for a
 * message whose key this console does not know yet.
 */
export function sentenceOf(message: MessageJson | null, english: string): string {
  const { translations, language } = activeLocale.value
  if (!translations || !message) return english
  return render(message, { catalogue: translations.catalogue, language }) ?? english
}

interface Answer {
  data?: unknown
  extensions?: object | undefined
}

/** Translates the messages of a result in place. The result lists their keys and paths. */
export function translate(answer: Answer): void {
  // The cast is safe: every field is optional and checked below.
  const { messages } = { ...answer.extensions } as { messages?: unknown }
  if (!Array.isArray(messages) || !activeLocale.value.translations) return
  for (const each of messages) if (isLocated(each)) put(answer.data, each)
}

interface LocatedMessage extends MessageJson {
  path: readonly (string | number)[]
}

function put(data: unknown, { path, ...message }: LocatedMessage) {
  const parent = path.slice(0, -1).reduce<unknown>(childOf, data)
  const name = path.at(-1)
  if (!isRecord(parent) || name === undefined) return
  const english = parent[name]
  if (typeof english === 'string') parent[name] = sentenceOf(message, english)
}

const childOf = (value: unknown, name: string | number): unknown =>
  isRecord(value) ? value[name] : undefined

const isLocated = (value: unknown): value is LocatedMessage =>
  isRecord(value) && Array.isArray(value['path']) && messageIn(value) !== null

/** Returns the key and parameters of a message; null when the server sent only the text. */
export const messageIn = ({ key, params }: Record<string, unknown>): MessageJson | null =>
  typeof key === 'string' && isRecord(params)
    ? // The cast is safe: the server writes parameters of the catalogue's types.
      { key, params: params as MessageJson['params'] }
    : null

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
}

/** Requests the keys of messages. English does not need them, so they are omitted to save bytes. */
export const messagesHeader = (): Record<string, string> =>
  activeLocale.value.language === 'en' ? {} : { 'x-berth-messages': '1' }
