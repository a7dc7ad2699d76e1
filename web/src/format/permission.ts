import { codeWords } from '../words/code-words.ts'

export interface PermissionGroup {
  noun: string
  label: string
  verbs: readonly { permission: string; label: string }[]
}

const verbOrder = ['read', 'write']

/**
 * Permissions by noun, `read` before `write` before the rest; the catalogue itself comes from the
 * server's own roles.
 */
export function groupPermissions(permissions: Iterable<string>): PermissionGroup[] {
  const byNoun = new Map<string, string[]>()
  for (const permission of new Set(permissions)) {
    const [noun, verb] = permission.split(':')
    if (!noun || !verb || noun === '*') continue
    byNoun.set(noun, [...(byNoun.get(noun) ?? []), verb])
  }
  return [...byNoun].map(([noun, verbs]) => ({
    noun,
    label: codeWords(`permission.${noun}`, nounLabel(noun)),
    verbs: verbs
      .toSorted((one, other) => rank(one) - rank(other))
      .map((verb) => ({ permission: `${noun}:${verb}`, label: codeWords(`verb.${verb}`, verb) })),
  }))
}

function rank(verb: string): number {
  const at = verbOrder.indexOf(verb)
  return at < 0 ? verbOrder.length : at
}

function nounLabel(noun: string): string {
  const words = noun
    .replace(/_/g, ' ')
    .replace(/\b(vpc|vm|ssh)(?=s?\b)/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
