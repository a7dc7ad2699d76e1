import { codeLabel } from '../i18n/code-label.ts'

export interface PermissionGroup {
  noun: string
  label: string
  verbs: readonly { permission: string; label: string }[]
}

const verbOrder = ['read', 'write']

/**
 * Groups permissions by noun, with `read` before `write` before the rest. The permissions come from
 * the server's roles.
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
    label: codeLabel(`permission.${noun}`, nounLabel(noun)),
    verbs: verbs
      .toSorted((one, other) => rank(one) - rank(other))
      .map((verb) => ({
        permission: `${noun}:${verb}`,
        label: codeLabel(`verb.${verb}`, verb.replace(/_/g, ' ')),
      })),
  }))
}

function rank(verb: string): number {
  const at = verbOrder.indexOf(verb)
  return at < 0 ? verbOrder.length : at
}

function nounLabel(noun: string): string {
  const label = noun
    .replace(/_/g, ' ')
    .replace(/\b(vpc|vm|ssh)(?=s?\b)/g, (word) => word.toUpperCase())
  return label.charAt(0).toUpperCase() + label.slice(1)
}
