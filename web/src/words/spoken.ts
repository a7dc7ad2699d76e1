import { shallowRef } from 'vue'
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
  /** What the server says, by its codes. */
  served: Readonly<Record<string, string>> | null
  /** What it says without a code; null for a sentence that there are no words for. */
  told: ((english: string) => string | null) | null
}

/**
 * Apart from how it is chosen (language.ts), so that words can be said where there is no browser.
 */
export const spoken = shallowRef<Spoken>({
  language: 'en',
  locale: 'en',
  texts: null,
  served: null,
  told: null,
})
