import { type MessageJson } from '../../../schema/messages/catalogue.ts'
import { render } from '../../../schema/messages/render.ts'
import { spoken } from './spoken.ts'

/**
 * The server's sentence in the reader's language. English is what the server has rendered, and so
 * is a message whose key is newer than this console.
 */
export function sentenceOf(message: MessageJson | null, english: string): string {
  const { words, language } = spoken.value
  if (!words || !message) return english
  return render(message, { catalogue: words.catalogue, language }) ?? english
}

interface Answer {
  data?: unknown
  extensions?: object | undefined
}

/** Puts the sentences of an answer, which come with their keys, into the reader's language. */
export function translate(answer: Answer): void {
  // Every field may be absent, and what is there is checked below.
  const { messages } = { ...answer.extensions } as { messages?: unknown }
  if (!Array.isArray(messages) || !spoken.value.words) return
  for (const each of messages) if (isPlaced(each)) put(answer.data, each)
}

interface Placed extends MessageJson {
  path: readonly (string | number)[]
}

function put(data: unknown, { path, ...message }: Placed) {
  const parent = path.slice(0, -1).reduce<unknown>(childOf, data)
  const name = path.at(-1)
  if (!isRecord(parent) || name === undefined) return
  const english = parent[name]
  if (typeof english === 'string') parent[name] = sentenceOf(message, english)
}

const childOf = (value: unknown, name: string | number): unknown =>
  isRecord(value) ? value[name] : undefined

const isPlaced = (value: unknown): value is Placed =>
  isRecord(value) && Array.isArray(value['path']) && messageIn(value) !== null

/** The key and parameters beside a sentence; null where the server sent the sentence alone. */
export const messageIn = ({ key, params }: Record<string, unknown>): MessageJson | null =>
  typeof key === 'string' && isRecord(params)
    ? // The server writes parameters as the catalogue's types say.
      { key, params: params as MessageJson['params'] }
    : null

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
}

/** Asks for the keys of sentences, which cost bytes that no English reader needs. */
export const messagesHeader = (): Record<string, string> =>
  spoken.value.language === 'en' ? {} : { 'x-berth-messages': '1' }
