import { shallowRef } from 'vue'
import { type Catalogue } from '../../../schema/messages/catalogue.ts'
import type { portuguese } from './portuguese.ts'

export type Language = 'en' | 'pt-BR'
/**
 * What the console can say: the English sentence itself. Its Portuguese stands in `pt/`, so a
 * message without one does not compile.
 */
export type Message = keyof typeof portuguese
/** One that can be said without knowing anything else. */
export type PlainMessage = Message extends infer M
  ? M extends `${string}{${string}}${string}`
    ? never
    : M
  : never

export interface Spoken {
  language: Language
  /** Of the language, and of the reader's country where the browser names it: `en-GB`. */
  locale: string
  texts: Readonly<Record<Message, string>> | null
  /** Words that the console derives from codes. */
  codes: Readonly<Record<string, string>> | null
  /** The server's sentences; null for English, in which it sends them. */
  catalogue: Catalogue | null
}

/**
 * Apart from how it is chosen (language.ts), so that words can be said where there is no browser.
 */
export const spoken = shallowRef<Spoken>({
  language: 'en',
  locale: 'en',
  texts: null,
  codes: null,
  catalogue: null,
})
