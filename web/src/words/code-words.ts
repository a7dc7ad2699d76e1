import { spoken } from './spoken.ts'

/** A word that the console derives from a code, such as the name of an operation's kind. */
export function codeWords(code: string, english: string): string {
  return spoken.value.words?.codes[code] ?? english
}
