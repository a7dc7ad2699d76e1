import { codeLabel } from '../i18n/code-label.ts'

/** Returns `VM snapshot` for `vm_snapshot`. */
export const kindLabel = (kind: string): string =>
  kind.replace(/_/g, ' ').replace(/\b(vm|vpc|iso|ssh|api)\b/g, (word) => word.toUpperCase())

/** Returns the label of the kind in the current language. */
export const targetLabel = (kind: string): string => codeLabel(`kind.${kind}`, kindLabel(kind))
