import { activeLocale } from './active-locale.ts'

/** Translates a label that the console derives from a code, such as the kind of an operation. */
export function codeLabel(code: string, english: string): string {
  return activeLocale.value.translations?.codes[code] ?? english
}
