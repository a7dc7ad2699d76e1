import { codeWords } from '../words/code-words.ts'

/** `vm_snapshot` reads `VM snapshot`. */
export const kindWords = (kind: string): string =>
  kind.replace(/_/g, ' ').replace(/\b(vm|vpc|iso|ssh|api)\b/g, (word) => word.toUpperCase())

/** What an operation is about, as its name stands behind it: `VM snapshot nightly`. */
export const targetWords = (kind: string): string => codeWords(`kind.${kind}`, kindWords(kind))
