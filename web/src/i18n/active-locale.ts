import { shallowRef } from 'vue'
import { type ConsoleLocale, type ConsoleMessage } from '../../../schema/messages/catalogue.ts'
import { type Language } from '../../../schema/messages/languages.ts'

/** A message of the console. The English sentence itself is the key. */
export type Message = ConsoleMessage
/** A message without placeholders. */
export type PlainMessage = Message extends infer M
  ? M extends `${string}{${string}}${string}`
    ? never
    : M
  : never

export interface ActiveLocale {
  language: Language
  /** The BCP 47 tag: the language, and the region when the browser names it, such as `en-GB`. */
  tag: string
  /** The translations; null for English, which is in the sources and in the server's messages. */
  translations: Pick<ConsoleLocale, 'texts' | 'codes' | 'catalogue'> | null
}

/**
 * The current language of the page. language.ts chooses it. Tests without a browser set it
 * directly.
 */
export const activeLocale = shallowRef<ActiveLocale>({
  language: 'en',
  tag: 'en',
  translations: null,
})
