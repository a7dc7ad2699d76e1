import { shallowRef } from 'vue'
import { type ConsoleLocale, type ConsoleMessage } from '../../../schema/messages/catalogue.ts'
import { type Language } from '../../../schema/messages/languages.ts'

/** What the console can say: the English sentence itself. */
export type Message = ConsoleMessage
/** A message without parameters. */
export type PlainMessage = Message extends infer M
  ? M extends `${string}{${string}}${string}`
    ? never
    : M
  : never

export interface Spoken {
  language: Language
  /** The language, and the reader's country where the browser names it: `en-GB`. */
  locale: string
  /** Null for English, which stands in the sources and is what the server sends. */
  words: Pick<ConsoleLocale, 'texts' | 'codes' | 'catalogue'> | null
}

/**
 * The language of the page. It stands apart from how it is chosen (language.ts), so that tests
 * without a browser can set it.
 */
export const spoken = shallowRef<Spoken>({ language: 'en', locale: 'en', words: null })
