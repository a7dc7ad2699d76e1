import { codeLabel } from '../i18n/code-label.ts'

/** Returns `VM snapshot` for `vm_snapshot`. */
export const kindLabel = (kind: string): string =>
  kind.replace(/_/g, ' ').replace(/\b(vm|vpc|iso|ssh|api)\b/g, (word) => word.toUpperCase())

/** Returns the label of an operation's target, to which its name is appended. */
export const targetLabel = (kind: string): string => codeLabel(`kind.${kind}`, kindLabel(kind))
